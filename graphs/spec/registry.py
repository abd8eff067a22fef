"""Every node type. To add one: its key in state.py, its file in nodes/, its line here."""

from collections.abc import Mapping
from types import MappingProxyType

from graphs import routes
from graphs.spec.node_type import NodeType
from nodes.actor import ActorParams, act
from nodes.aggregator import AggregatorParams, EditLedger, aggregate
from nodes.answerer import AnswererParams, WriteAnswer, answer
from nodes.critic import CriticParams, JudgePart, criticise
from nodes.extractor import ExtractorParams, ReadPage, extract
from nodes.interpreter import Interpret, InterpreterParams, interpret
from nodes.navigator import NavigatorParams, navigate
from nodes.navigator.browser import ActInBrowser
from nodes.navigator.links import ChooseLink
from nodes.navigator.search import SearchOrRead
from nodes.navigator.tree import RateActions
from nodes.recaller import RecallerParams, recall
from nodes.refiner import Refine, RefinerParams, refine
from nodes.reflector import Reflect, ReflectorParams, reflect
from nodes.selector import SelectorParams, select
from nodes.surveyor.survey import PlanSearch, SurveyorParams, survey


def _keys(names: str) -> frozenset[str]:
    return frozenset(names.split())


_TYPES = (
    NodeType(
        name="interpreter",
        family="prepare",
        summary="Says what a follow-up asks, in words that stand alone.",
        function=interpret,
        params=InterpreterParams,
        routes=("next",),
        route=routes.onwards,
        reads=_keys("question"),
        looks=_keys("past"),
        writes=_keys("meaning"),
        tasks=(Interpret,),
    ),
    NodeType(
        name="surveyor",
        family="prepare",
        summary="Maps the sites, splits the question, and ranks pages into arms.",
        function=survey,
        params=SurveyorParams,
        routes=("found", "none"),
        route=routes.after_survey,
        reads=_keys("question"),
        looks=_keys("past meaning survey arms draw recall evidence verdict"),
        writes=_keys("survey arms"),
        tasks=(PlanSearch,),
    ),
    NodeType(
        name="recaller",
        family="memory",
        summary="Brings back what earlier attempts taught.",
        function=recall,
        params=RecallerParams,
        routes=("next",),
        route=routes.onwards,
        reads=_keys("question"),
        looks=_keys("past meaning draw arms steps recall lessons"),
        writes=_keys("recall"),
    ),
    NodeType(
        name="selector",
        family="prepare",
        summary="Draws the arms where the next round starts.",
        function=select,
        params=SelectorParams,
        routes=("arm", "exhausted"),
        route=routes.after_select,
        reads=_keys("question spend arms"),
        looks=_keys("survey draw steps lessons verdict"),
        writes=_keys("draw"),
        spent="exhausted",
    ),
    NodeType(
        name="navigator",
        family="walk",
        summary="Chooses what to do next: search, open or act on a page, read it, or stop.",
        function=navigate,
        params=NavigatorParams,
        routes=("act", "aggregate", "stop"),
        route=routes.after_navigate,
        reads=_keys("question spend survey"),
        looks=_keys("meaning arms draw recall frontier steps reading feedback verdict lessons"),
        modes={"links": _keys("draw")},
        writes=_keys("proposal frontier"),
        spent="stop",
        counts={"act": "steps", "aggregate": "reading"},
        tasks=(ChooseLink, SearchOrRead, ActInBrowser, RateActions),
    ),
    NodeType(
        name="actor",
        family="walk",
        summary="Performs the action, asks where it may do harm, and records where it led.",
        function=act,
        params=ActorParams,
        routes=("moved", "failed"),
        route=routes.after_act,
        reads=_keys("question proposal arms"),
        looks=_keys("survey draw steps"),
        writes=_keys("steps"),
    ),
    NodeType(
        name="refiner",
        family="memory",
        summary="Says why the last step was taken, for steps like it.",
        function=refine,
        params=RefinerParams,
        routes=("next",),
        route=routes.onwards,
        reads=_keys("question steps"),
        looks=_keys("meaning rationales"),
        writes=_keys("rationales"),
        tasks=(Refine,),
    ),
    NodeType(
        name="extractor",
        family="read",
        summary="Copies the passages that bear on the question, word for word.",
        function=extract,
        params=ExtractorParams,
        routes=("found", "nothing"),
        route=routes.after_extract,
        reads=_keys("question survey"),
        looks=_keys("meaning arms draw recall steps evidence"),
        writes=_keys("reading"),
        tasks=(ReadPage,),
    ),
    NodeType(
        name="aggregator",
        family="read",
        summary="Edits the ledger and says what it still lacks.",
        function=aggregate,
        params=AggregatorParams,
        routes=("next",),
        route=routes.onwards,
        reads=_keys("question survey reading"),
        looks=_keys("past meaning draw evidence"),
        writes=_keys("evidence feedback"),
        tasks=(EditLedger,),
    ),
    NodeType(
        name="critic",
        family="judge",
        summary="Judges, part by part, whether the ledger is enough.",
        function=criticise,
        params=CriticParams,
        routes=("sufficient", "insufficient"),
        route=routes.after_criticise,
        reads=_keys("question survey"),
        looks=_keys("meaning arms recall steps evidence feedback"),
        writes=_keys("verdict"),
        tasks=(JudgePart,),
    ),
    NodeType(
        name="reflector",
        family="judge",
        summary="Judges the attempt, rewards its arm, and writes down the lesson.",
        function=reflect,
        params=ReflectorParams,
        routes=("continue", "done"),
        route=routes.after_reflect,
        reads=_keys("question survey draw"),
        looks=_keys("meaning proposal steps evidence feedback verdict lessons"),
        writes=_keys("lessons"),
        tasks=(Reflect,),
    ),
    NodeType(
        name="answerer",
        family="answer",
        summary="Writes the answer from the ledger alone, each sentence citing its entries.",
        function=answer,
        params=AnswererParams,
        routes=("end",),
        route=routes.to_the_end,
        reads=_keys("question spend"),
        looks=_keys("meaning survey draw evidence verdict"),
        writes=_keys("answer"),
        tasks=(WriteAnswer,),
    ),
)

REGISTRY: Mapping[str, NodeType] = MappingProxyType({kind.name: kind for kind in _TYPES})
