"""An OpenTelemetry collector on loopback: takes OTLP over gRPC and keeps what it was sent."""

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, Self

import grpc
from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2 as metrics
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2_grpc import (
    MetricsServiceServicer,
    add_MetricsServiceServicer_to_server,
)
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2 as traces
from opentelemetry.proto.collector.trace.v1.trace_service_pb2_grpc import (
    TraceServiceServicer,
    add_TraceServiceServicer_to_server,
)


class SentSpan(NamedTuple):
    """A span as it was sent."""

    name: str
    id: bytes
    parent: bytes
    trace: bytes
    failed: bool
    attributes: Mapping[str, Any]


class OtlpCollector:
    """Keeps the requests while entered."""

    def __init__(self) -> None:
        self._traces: list[Any] = []
        self._metrics: list[Any] = []
        self._server = grpc.server(ThreadPoolExecutor(2))
        served: list[tuple[Any, Any]] = [
            (add_TraceServiceServicer_to_server, _Traces(self._traces)),
            (add_MetricsServiceServicer_to_server, _Metrics(self._metrics)),
        ]
        for add, service in served:
            add(service, self._server)
        self.url = f"http://127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"

    def __enter__(self) -> Self:
        self._server.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._server.stop(None).wait()

    def sent_bytes(self) -> bytes:
        """All that was sent, as it went over the wire."""
        return b"".join(each.SerializeToString() for each in (*self._traces, *self._metrics))

    def resources(self) -> list[dict[str, Any]]:
        """What the sender says of itself, once for each request."""
        found = [each.resource for asked in self._traces for each in asked.resource_spans]
        return [_values(resource.attributes) for resource in found]

    def spans(self) -> list[SentSpan]:
        """All spans."""
        return [
            SentSpan(
                each.name,
                each.span_id,
                each.parent_span_id,
                each.trace_id,
                each.status.code == each.status.STATUS_CODE_ERROR,
                _values(each.attributes),
            )
            for asked in self._traces
            for resource in asked.resource_spans
            for scope in resource.scope_spans
            for each in scope.spans
        ]

    def figures(self) -> dict[str, list[tuple[dict[str, Any], float]]]:
        """The last value of each figure, by name, with its labels."""
        return {each.name: list(_points(each)) for each in self._last_figures()}

    def _last_figures(self) -> Iterator[Any]:
        for asked in self._metrics:
            for resource in asked.resource_metrics:
                for scope in resource.scope_metrics:
                    yield from scope.metrics


class _Traces(TraceServiceServicer):
    def __init__(self, kept: list[Any]) -> None:
        self._kept = kept

    def Export(self, request: Any, context: grpc.ServicerContext) -> Any:
        self._kept.append(request)
        return traces.ExportTraceServiceResponse()


class _Metrics(MetricsServiceServicer):
    def __init__(self, kept: list[Any]) -> None:
        self._kept = kept

    def Export(self, request: Any, context: grpc.ServicerContext) -> Any:
        self._kept.append(request)
        return metrics.ExportMetricsServiceResponse()


def _points(figure: Any) -> Iterator[tuple[dict[str, Any], float]]:
    kind = figure.WhichOneof("data")
    for point in getattr(figure, kind).data_points:
        yield _values(point.attributes), getattr(point, point.WhichOneof("value"))


def _values(attributes: Any) -> dict[str, Any]:
    return {each.key: getattr(each.value, each.value.WhichOneof("value")) for each in attributes}
