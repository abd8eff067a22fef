"""The commands that make, check and serve a fresh question set."""

import threading
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bench.commands.options import BASE_URL, MODEL, bench_settings, print_progress
from graphs.sessions.model_choice import choose_models
from ui.cli.exit_codes import FAILED

if TYPE_CHECKING:
    from bench.make_set.packages import UnpackedPackage
    from bench.make_set.set_questions import Question

FOLDER = typer.Argument(metavar="FOLDER", help="Folder of `bench make-set`.")
PACKAGES = typer.Option(
    metavar="FOLDER", help="Where packages are unpacked; what is missing there is fetched."
)


def make_set_command(
    packages: Annotated[
        list[str],
        typer.Argument(metavar="PACKAGE…", help="Debian packages, .deb files or folders of pages."),
    ],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Folder of the forms.")],
    pages: Annotated[int, typer.Option(min=1, help="Pages to ask about, of each package.")] = 10,
    seed: Annotated[int, typer.Option(help="Seed of the choice of pages.")] = 0,
    reserved: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Packages that must not be used, one a line."),
    ] = None,
    used: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Files of questions or sites that were used before."),
    ] = None,
    start: Annotated[
        list[str] | None,
        typer.Option(metavar="PACKAGE=PATH", help="First page, if the one found is not right."),
    ] = None,
    model: Annotated[list[str] | None, MODEL] = None,
    base_url: Annotated[str, BASE_URL] = "",
    unpacked: Annotated[Path | None, PACKAGES] = None,
) -> None:
    """Sample pages of packages never used before, and write forms for questions on them.

    Packages that a list names are refused, with other languages and versions of the same. A form
    is a TOML file; the text of each page stands beside it. With --model, a language model fills in
    a question on each page. `bench check-set` checks what was filled in.
    """
    from bench.make_set.package_lists import OWN_LISTS, read_lists, refuse_known
    from bench.make_set.packages import read_list, unpack, write_list
    from bench.make_set.question_form import refuse_overwriting, write_form
    from bench.make_set.question_writer import fill_form
    from bench.make_set.site_pages import read_site, sample_pages

    settings = bench_settings(base_url=base_url)
    line = choose_models(model, settings) if model else ""
    own = [path for path in OWN_LISTS if path.exists() and path.parent.resolve() != out.resolve()]
    lists = read_lists(reserved or ()), read_lists([*own, *(used or ())])
    starts = dict(each.partition("=")[::2] for each in start or ())
    known = read_list(out) if (out / "packages.toml").exists() else {}
    for source in packages:
        refuse_known(Path(source).name.partition("_")[0], *lists)
        package = unpack(source, unpacked or settings.data / "packages", starts.get(source, ""))
        name = package.site.package
        refuse_known(name, *lists)
        refuse_overwriting(out, name)
        site = read_site(package)
        drawn = sample_pages(site, pages, seed)
        filled = fill_form(site, drawn, line, settings, print_progress) if line else {}
        form = write_form(out, site, drawn, filled)
        known[name] = package.site
        write_list(out, known)
        typer.echo(f"{name}: {len(site.pages)} pages, {len(drawn)} of them in {form}")


def check_set_command(
    folder: Annotated[Path, FOLDER],
    split: Annotated[
        bool, typer.Option("--split", help="Write two halves that share no package, if all is well")
    ] = False,
    seed: Annotated[int, typer.Option(help="Seed of the halves.")] = 0,
    unpacked: Annotated[Path | None, PACKAGES] = None,
) -> None:
    """Check the questions of a set by code: quotes, answers, types, and that BM25 finds none.

    Each fault is told with its file and line; with one, the exit code is 1.
    """
    from bench.make_set.halves import split_halves
    from bench.make_set.question_checks import SetChecker
    from bench.make_set.set_questions import HALVES, load_questions, write_questions
    from bench.make_set.site_pages import read_site

    questions = load_questions(folder)
    sites = {each.site.package: read_site(each) for each in _open_packages(folder, unpacked)}
    faults = SetChecker(sites).check_all(questions)
    for fault in faults:
        typer.echo(str(fault))
    faulty = {fault.where for fault in faults}
    typer.echo(f"{len(questions)} questions, {len(faulty)} of them with faults")
    for line in _count_lines(questions):
        typer.echo(line)
    if faults:
        raise typer.Exit(FAILED)
    if split:
        for name, half in zip(HALVES, split_halves(questions, seed), strict=True):
            write_questions(folder / name, half)
            typer.echo(f"{folder / name}: {len(half)} questions")
            for line in _count_lines(half):
                typer.echo(f"  {line}")


def serve_set_command(
    folder: Annotated[Path, FOLDER],
    port: Annotated[int, typer.Option(min=0, help="First port; 0 takes free ones.")] = 8201,
    unpacked: Annotated[Path | None, PACKAGES] = None,
) -> None:
    """Serve the packages of a set on loopback until interrupted; prints what --sites takes."""
    from bench.make_set.package_server import serve_packages

    with serve_packages(_open_packages(folder, unpacked), port) as addresses:
        typer.echo(",".join(f"{name}={address}" for name, address in addresses.items()))
        threading.Event().wait()


def _open_packages(folder: Path, unpacked: Path | None) -> "Sequence[UnpackedPackage]":
    from bench.make_set.packages import open_packages, read_list

    where = unpacked or bench_settings().data / "packages"
    return open_packages(list(read_list(folder).values()), where)


def _count_lines(questions: "Sequence[Question]") -> list[str]:
    """The numbers by type, language and package; nothing without a question."""
    counts = {
        "types": Counter(one.type for one in questions),
        "languages": Counter(one.lang for one in questions),
        "packages": Counter(one.sites[0] for one in questions),
    }
    return [
        f"{what}: {', '.join(f'{name} {count}' for name, count in sorted(each.items()))}"
        for what, each in counts.items()
        if each
    ]
