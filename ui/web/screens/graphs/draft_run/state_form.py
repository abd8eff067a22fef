"""The form of a state: a field for each value, by the types of the models."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

import streamlit as st
from pydantic import JsonValue

from graphs.sessions.debugging.state_edit import StateValue, find_faults
from ui.web.markdown import escape_markdown
from ui.web.screens.graphs.draft_run.state_draft import (
    Place,
    Schema,
    StateDraft,
    empty_value,
    find_choices,
    find_kind,
    find_schema,
    new_name,
    renamed_member,
)
from ui.web.tab_state import widget_value
from ui.web.words import say, say_told

LONG: Final = 60
MOST_ROWS: Final = 40
LINE_HEIGHT: Final = 22
MIN_HEIGHT: Final = 80
MOST_HEIGHT: Final = 320
PAIRED: Final = frozenset({"integer", "number", "text"})
"""The kinds of values that stand beside their names."""
SUMMARIES: Final = ("title", "text", "url", "quote", "sentence", "id")


@dataclass(frozen=True)
class StateForm:
    """The form of one key of the state, as it was changed so far."""

    id: str
    key: str
    kept: JsonValue
    schema: Schema
    draft: StateDraft
    faults: dict[Place, list[str]]

    def draw(self) -> None:
        """All fields, and under each what does not fit there."""
        value = self.draft.values.get(self.key, self.kept)
        self.draft.takers.clear()
        _Field(self, (self.key,), self.key, value, self.schema).draw(open=True)

    @property
    def is_unfit(self) -> bool:
        """Whether something of it does not fit, or cannot be read."""
        return bool(self.faults) or any(at[0] == self.key for at in self.draft.unread)


def state_form(id: str, key: StateValue, draft: StateDraft) -> StateForm:
    """That of a key, with what does not fit in the changed value."""
    faults: dict[Place, list[str]] = {}
    for fault in find_faults(key.key, draft.values.get(key.key, key.value)):
        says = faults.setdefault((key.key, *fault.place), [])
        if fault.says not in says:
            says.append(fault.says)
    return StateForm(id, key.key, key.value, key.expects, draft, faults)


@dataclass(frozen=True)
class _Field:
    """The value at a place, and its schema."""

    form: StateForm
    place: Place
    label: str
    value: JsonValue
    given: Schema

    @property
    def definitions(self) -> Schema:
        found: Schema = self.form.schema.get("$defs", {})
        return found

    def name(self, part: str = "") -> str:
        """The key of its widget."""
        at = "-".join(map(str, self.place))
        return f"mend-{self.form.id}-{self.form.draft.revision}-{at}{part}"

    def draw(self, *, open: bool = False) -> None:
        """The field, or fields; those of a model only if it is opened."""
        schema, optional = find_schema(self.given, self.definitions)
        if optional:
            there = self.value is not None
            st.toggle(self.label, there, key=self.name("-there"), on_change=self._set_there)
            if there:
                replace(self, label=say("{name}: value", name=self.label), given=schema).draw(
                    open=True
                )
            return
        match find_kind(schema, self.value):
            case "model":
                self._draw_model(schema, open=open)
            case "list":
                self._draw_rows(schema)
            case "map":
                self._draw_map(schema)
            case kind:
                self._draw_value(kind, schema)
        hidden = find_kind(schema, self.value) == "model" and not (open or self.is_open)
        self._show_faults(inner=hidden)

    @property
    def is_open(self) -> bool:
        return self.place in self.form.draft.opened

    def _show_faults(self, *, inner: bool) -> None:
        """What does not fit here, and inside of what is closed."""
        unread = self.form.draft.unread.get(self.place)
        says = [say("This is not JSON.")] if unread is not None else []
        for place, texts in self.form.faults.items():
            if place == self.place:
                says += map(say_told, texts)
            elif inner and place[: len(self.place)] == self.place:
                within = ".".join(map(str, place[len(self.place) :]))
                says += (f"{within}: {say_told(text)}" for text in texts)
        if says:
            with st.container(key=self.name("-fault")):
                st.markdown(escape_markdown(" ".join(says)))

    def _draw_value(self, kind: str, schema: Schema) -> None:
        value: Any = self.value
        match kind:
            case "choice":
                choices = find_choices(schema)
                st.selectbox(self.label, choices, choices.index(value), **self._widget())
            case "switch":
                st.toggle(self.label, value, **self._widget())
            case "integer":
                st.number_input(self.label, value=value, step=1, **self._widget())
            case "number":
                st.number_input(self.label, value=float(value), format="%g", **self._widget())
            case "lines":
                help, text = say("One on each line."), "\n".join(value)
                widget = self._widget(lambda new: [each.strip() for each in _lines(new)])
                st.text_area(self.label, text, height=_height(text), help=help, **widget)
            case "text" if len(value) <= LONG and "\n" not in value:
                st.text_input(self.label, value, **self._widget())
            case "text":
                st.text_area(self.label, value, height=_height(value), **self._widget())
            case _:
                self._draw_json()

    def _widget(self, read: Callable[[Any], JsonValue] = lambda new: new) -> dict[str, Any]:
        """The key of a widget, and what takes its new value."""
        name, form, place, value = self.name(), self.form, self.place, self.value

        def take() -> None:
            typed = widget_value(name)
            if typed is not None and (new := read(typed)) != value:
                form.draft.put(place, new, form.kept)

        form.draft.takers.append(take)
        return {"key": name, "on_change": take}

    def _draw_json(self) -> None:
        kept = json.dumps(self.value, ensure_ascii=False, indent=1)
        text = self.form.draft.unread.get(self.place, kept)
        name, form, place = self.name("-json"), self.form, self.place

        def take() -> None:
            typed = str(widget_value(name, text))
            if typed == text:
                return
            try:
                form.draft.put(place, json.loads(typed), form.kept)
            except ValueError:
                form.draft.unread[place] = typed

        form.draft.takers.append(take)
        height = _height(text, lines=True)
        st.text_area(
            self.label, text, key=name, height=height, help=say("As JSON."), on_change=take
        )

    def _draw_model(self, schema: Schema, *, open: bool) -> None:
        if not open:
            self._draw_heading()
        if open or self.is_open:
            self._draw_members(schema, border=not open)

    def _draw_members(self, schema: Schema, *, border: bool) -> None:
        members: Schema = schema["properties"]
        value = self.value if isinstance(self.value, dict) else {}
        with st.container(border=border, key=self.name("-model")):
            for name, given in members.items():
                label = name.replace("_", " ").capitalize()
                now = value[name] if name in value else empty_value(given, self.definitions)
                _Field(self.form, (*self.place, name), label, now, given).draw()
            if newer := [name for name in value if name not in members]:
                told = say("Of a newer Forager, kept as it is: {names}", names=", ".join(newer))
                st.caption(escape_markdown(told))

    def _draw_heading(self) -> None:
        value = self.value if isinstance(self.value, dict) else {}
        about = next((str(value[each]) for each in SUMMARIES if value.get(each)), "")
        short = about if len(about) <= LONG else f"{about[:LONG]}…"
        st.button(
            escape_markdown(" · ".join(filter(None, (self.label, short)))),
            icon=f":material/{'expand_more' if self.is_open else 'chevron_right'}:",
            type="tertiary",
            key=self.name("-open"),
            on_click=self.form.draft.toggle,
            args=(self.place,),
        )

    def _draw_rows(self, schema: Schema) -> None:
        rows = self.value if isinstance(self.value, list) else []
        given: Schema = schema["items"]
        st.caption(f"{escape_markdown(self.label)} ({len(rows)})")
        all_shown = (*self.place, "all") in self.form.draft.opened
        for at, value in enumerate(rows[: None if all_shown else MOST_ROWS]):
            row = _Field(self.form, (*self.place, at), str(at + 1), value, given)
            self._draw_row(row, [*rows[:at], *rows[at + 1 :]])
        if len(rows) > MOST_ROWS and not all_shown:
            self._more_button(len(rows))
        self._add_button(self._add_row, rows, given)

    def _add_button(self, add: Callable[..., None], *to: object) -> None:
        st.button(
            say("Add to {name}", name=self.label),
            icon=":material/add:",
            key=self.name("-add"),
            on_click=add,
            args=to,
        )

    def _more_button(self, count: int) -> None:
        st.button(
            say("Show all {n}", n=count),
            type="tertiary",
            key=self.name("-all"),
            on_click=self.form.draft.toggle,
            args=((*self.place, "all"),),
        )

    def _draw_row(self, row: "_Field", others: list[JsonValue]) -> None:
        """An item and the button that removes it; the fields of a model stand below both."""
        schema, _ = find_schema(row.given, self.definitions)
        is_model = find_kind(schema, row.value) == "model"
        with st.container(horizontal=True, key=row.name("-row")):
            with st.container():
                if is_model:
                    row._draw_heading()
                else:
                    row.draw()
            st.button(
                say("Remove {name}", name=f"{self.label} {row.label}"),
                icon=":material/delete:",
                type="tertiary",
                key=row.name("-remove"),
                on_click=self._put_rows,
                args=(others,),
            )
        if is_model:
            if row.is_open:
                row._draw_members(schema, border=True)
            row._show_faults(inner=not row.is_open)

    def _draw_map(self, schema: Schema) -> None:
        """A row for each member: its name, its value, and a button that removes it."""
        members = self.value if isinstance(self.value, dict) else {}
        given: Schema = schema["additionalProperties"]
        st.caption(f"{escape_markdown(self.label)} ({len(members)})")
        all_shown = (*self.place, "all") in self.form.draft.opened
        for name in list(members)[: None if all_shown else MOST_ROWS]:
            self._draw_member(name, members, given)
        if len(members) > MOST_ROWS and not all_shown:
            self._more_button(len(members))
        self._add_button(self._add_member, members, given)

    def _draw_member(self, name: str, members: dict[str, JsonValue], given: Schema) -> None:
        row = _Field(
            self.form, (*self.place, name), say("{name}: value", name=name), members[name], given
        )
        kind = find_kind(find_schema(given, self.definitions)[0], row.value)
        with st.container(horizontal=True, key=row.name("-row")):
            with st.container(key=row.name("-pair" if kind in PAIRED else "-named")):
                self._name_field(name, members, row.name("-name"))
                row.draw()
            st.button(
                say("Remove {name}", name=f"{self.label} {name}"),
                icon=":material/delete:",
                type="tertiary",
                key=row.name("-remove"),
                on_click=self._put_rows,
                args=({each: value for each, value in members.items() if each != name},),
            )

    def _name_field(self, name: str, members: dict[str, JsonValue], key: str) -> None:
        """The name of a member; one that another has is not taken."""

        def rename() -> None:
            new = str(widget_value(key, name)).strip()
            if new and new != name and new not in members:
                self._put_rows(renamed_member(members, name, new))
            else:
                self.form.draft.revision += new != name

        st.text_input(say("{name}: name", name=name), name, key=key, on_change=rename)

    def _add_member(self, members: dict[str, JsonValue], given: Schema) -> None:
        name = new_name(members)
        self._put_rows({**members, name: empty_value(given, self.definitions)})
        self.form.draft.opened |= {(*self.place, name), (*self.place, "all")}

    def _add_row(self, rows: list[JsonValue], given: Schema) -> None:
        new = (*self.place, len(rows))
        self._put_rows([*rows, empty_value(given, self.definitions)])
        self.form.draft.opened |= {new, (*self.place, "all")}

    def _put_rows(self, rows: JsonValue) -> None:
        self.form.draft.put_rows(self.place, rows, self.form.kept)

    def _set_there(self) -> None:
        there = bool(widget_value(self.name("-there"), default=self.value is not None))
        schema, _ = find_schema(self.given, self.definitions)
        bare = {name: each for name, each in schema.items() if name != "default"}
        self._put_rows(empty_value(bare, self.definitions) if there else None)


def _lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()]


def _height(text: str, *, lines: bool = False) -> int:
    rows = text.count("\n") + (3 if lines else 2 + len(text) // LONG)
    return max(MIN_HEIGHT, min(MOST_HEIGHT, rows * LINE_HEIGHT))
