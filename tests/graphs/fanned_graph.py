"""A graph that walks several arms at once, each in a graph of its own."""

from string import Template

from graphs.spec.spec import GraphSpec, parse_graph

_TEXT = Template("""
    name: fanned
    nodes:
      survey: {type: surveyor, params: $survey}
      select: {type: selector, params: $select}
      $walk:
        type: graph
        params:
          spec:
            name: $walk
            nodes:
              navigate:  $navigate
              act:       {type: actor}
              extract:   {type: extractor}
              aggregate: {type: aggregator}
              reflect:   {type: reflector}
            edges:
              - start -> navigate
              - navigate.act -> act
              - navigate.aggregate -> extract
              - navigate.stop -> reflect
              - act.moved -> navigate
              - act.failed -> navigate
              - extract.found -> aggregate
              - extract.nothing -> navigate
              - aggregate.next -> navigate
              - reflect.continue -> end
              - reflect.done -> end
      judge:  {type: critic}
      answer: {type: answerer}
    edges:
      - start -> survey
      - survey.found -> select
      - survey.none -> answer
      - select.arm => $walk
      - select.exhausted -> answer
      - $walk.end -> judge
      - judge.sufficient -> answer
      - judge.insufficient -> select
      - answer.end -> end
    """)


def fanned(walk: str, survey: str, select: str, navigate: str) -> GraphSpec:
    """The graph, with the name of the inner one, two nodes' parameters and the navigator."""
    return parse_graph(_TEXT.substitute(walk=walk, survey=survey, select=select, navigate=navigate))


# for scripted nodes
FANNED = fanned("expedition", "{pages: 5}", "{parallel: 3}", "{type: navigator}")
# for real ones
FANNED_REAL = fanned(
    "walk",
    "{pages: 100, top: 6}",
    "{parallel: 2, rounds: 4}",
    "{type: navigator, params: {steps: 4}}",
)
