"""The OpenTelemetry SDK: spans and figures that are sent to a collector, over gRPC."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from opentelemetry.exporter.otlp.proto.grpc.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.metrics import Observation
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, StatusCode

from forager.util.distribution import installed_version

NAME: Final = "forager"
SECONDS: Final = 2.0
"""How long a collector is tried that is away; a command waits for it at its end."""
COUNTERS: Final = {
    "forager.runs": ("{run}", "Runs that ended, by status."),
    "forager.errors": ("{error}", "Spans that ended with an error, by kind and type."),
    "forager.tokens": ("{token}", "Tokens of language models, by model, role and direction."),
    "forager.model.calls": ("{call}", "Calls of language models, by model and role."),
    "forager.dollars": ("USD", "US dollars paid for language models, by model and role."),
    "forager.pages": ("{page}", "Pages asked for, by whether the cache had them."),
}
UNNAMED: Final = "unknown_service"
"""How a service is called that neither OTEL_SERVICE_NAME nor OTEL_RESOURCE_ATTRIBUTES names."""
CONTROL_FLOW: Final = ("langgraph.", "asyncio.")
"""Modules of exceptions by which a run pauses or waits; they are no errors."""


class Collector:
    """The tracer and counters of a process, which send to the collector at `endpoint`.

    `waiting` says at each report how many runs have yet to begin.
    """

    def __init__(self, endpoint: str, waiting: Callable[[], int]) -> None:
        resource = Resource.create({"service.version": installed_version()})
        if str(resource.attributes["service.name"]).startswith(UNNAMED):
            resource = resource.merge(Resource({"service.name": NAME}))
        insecure = not endpoint.startswith("https")
        spans = OTLPSpanExporter(endpoint=endpoint, insecure=insecure, timeout=SECONDS)
        figures = OTLPMetricExporter(endpoint=endpoint, insecure=insecure, timeout=SECONDS)
        self._tracers = TracerProvider(resource=resource)
        self._tracers.add_span_processor(BatchSpanProcessor(spans))
        self._meters = MeterProvider([PeriodicExportingMetricReader(figures)], resource)
        self._tracer = self._tracers.get_tracer(NAME, installed_version())
        meter = self._meters.get_meter(NAME, installed_version())
        self._counters = {
            name: meter.create_counter(name, unit, about)
            for name, (unit, about) in COUNTERS.items()
        }
        self._active = meter.create_up_down_counter(
            "forager.runs.active", "{run}", "Runs under way."
        )
        meter.create_observable_gauge(
            "forager.runs.waiting",
            [lambda options: [Observation(waiting())]],
            "{run}",
            "Runs that have yet to begin.",
        )

    def count(self, name: str, amount: float, labels: Mapping[str, str]) -> None:
        """Add to a counter of COUNTERS."""
        self._counters[name].add(amount, labels)

    def change_active(self, by: int) -> None:
        """Tell that a run begins (1) or ends (-1)."""
        self._active.add(by)

    @contextmanager
    def span(self, name: str, attributes: Mapping[str, str | int | float | bool]) -> Iterator[Span]:
        """A span around the body; an error ends it as failed, with its type, and is counted."""
        with self._tracer.start_as_current_span(
            name, attributes=attributes, record_exception=False, set_status_on_exception=False
        ) as opened:
            try:
                yield opened
            except Exception as error:
                kind = type(error)
                if not kind.__module__.startswith(CONTROL_FLOW):
                    opened.set_status(StatusCode.ERROR, kind.__name__)
                    opened.set_attribute("error.type", kind.__name__)
                    labels = {"span": name.split(maxsplit=1)[0], "type": kind.__name__}
                    self.count("forager.errors", 1, labels)
                raise

    def flush(self) -> None:
        """Send what is waiting to be sent."""
        self._tracers.force_flush()
        self._meters.force_flush()
