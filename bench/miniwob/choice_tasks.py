"""Oracles of tasks that set a value: lists, spinners, sliders, form sequences, scrolling."""

import re

from bench.miniwob.episode import Episode, Oracle, node_text
from forager.errors import ActionError

NUMBER = re.compile(r"-?\d+")


async def choose_from_list(task: Episode) -> None:
    wanted = re.findall(r"Select (.+) from the list", task.goal)[0]
    await task.do_action("select", task.find_all("combobox")[0], wanted)
    await task.submit()


async def choose_from_scroll_list(task: Episode) -> None:
    wanted = re.findall(r"Select (.+) from the scroll list", task.goal)[0]
    await task.do_action("select", task.find_all("listbox")[0], wanted)
    await task.submit()


async def turn_spinner(task: Episode) -> None:
    """Use the arrow buttons, as the field accepts no keys."""
    wanted = int(NUMBER.findall(task.goal)[0])
    for _ in range(abs(wanted)):
        up, down = task.find_all("button")[:2]
        await task.do_action("click", up if wanted > 0 else down)
    await task.submit()


async def set_slider(task: Episode) -> None:
    await _move_slider(task, 0, int(NUMBER.findall(task.goal)[0]))
    await task.submit()


async def set_sliders(task: Episode) -> None:
    for place, wanted in enumerate(NUMBER.findall(task.goal)):
        await _move_slider(task, place, int(wanted))
    await task.submit()


async def _move_slider(task: Episode, place: int, wanted: int) -> None:
    """Use the keyboard: a jQuery UI slider has no role to click, but takes the focus."""
    await task.do_action("press", value="Tab")
    shown = [node_text(node) for node in task.task_nodes() if NUMBER.fullmatch(node.text)]
    steps = wanted - int(shown[place])
    for _ in range(abs(steps)):
        await task.do_action("press", value="ArrowRight" if steps > 0 else "ArrowLeft")


async def set_slider_and_box(task: Episode) -> None:
    wanted, place = (int(each) for each in NUMBER.findall(task.goal)[:2])
    await _move_slider(task, 0, wanted)
    await task.do_action("click", task.find_all("checkbox")[place - 1])
    await task.submit()


async def set_radio_and_text(task: Episode) -> None:
    radio, field = (int(each) for each in re.findall(r"the (\d)\w\w", task.goal))
    await task.do_action("click", task.find_all("radio")[radio - 1])
    await task.do_action("type", task.find_all("textbox")[field - 1], task.quoted_texts()[0])
    await task.submit()


async def choose_and_click(task: Episode) -> None:
    wanted = re.findall(r"Choose (.+) from the dropdown", task.goal)[0]
    await task.do_action("select", task.find_all("combobox")[0], wanted)
    await task.click(task.quoted_texts()[0])


async def scroll_text(task: Episode) -> None:
    await _scroll_to_end(task, "down" if "bottom" in task.goal else "up")
    await task.submit()


async def _scroll_to_end(task: Episode, direction: str) -> None:
    while True:
        try:
            await task.do_action("scroll", value=task.find_all("textbox")[0].ref, target=direction)
        except ActionError:
            return


async def sign_agreement(task: Episode) -> None:
    if names := task.quoted_texts():
        await _scroll_to_end(task, "down")
        await task.do_action("type", task.find_named("Name", "textbox"), names[0])
    await task.click(names[-1] if names else "Cancel")


ORACLES: dict[str, Oracle] = {
    "choose-list": choose_from_list,
    "click-scroll-list": choose_from_scroll_list,
    "use-spinner": turn_spinner,
    "use-slider": set_slider,
    "use-slider-2": set_sliders,
    "form-sequence": set_slider_and_box,
    "form-sequence-2": set_radio_and_text,
    "form-sequence-3": choose_and_click,
    "scroll-text-2": scroll_text,
    "sign-agreement": sign_agreement,
}
