"""The API of what accounts share with each other."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path

from graphs.sessions.service import Report
from graphs.spec.library import Version, open_library
from graphs.spec.yaml_writer import write_graph
from ui.server.api.api_errors import describe_errors
from ui.server.api.json_body import ApiRoute
from ui.server.backend import get_backend
from ui.server.people.account_bodies import NewShare, SharedCopy, ShareLine, ShareList, ShareRef
from ui.server.people.account_routes import whoever_asks
from ui.server.people.shared_things import (
    SharedThing,
    find_shared,
    list_shares,
    share_thing,
    shared_graph,
    title_of,
)

ShareId = Annotated[str, Path(description="The share's id.", examples=["pXk2mB9vQ0aZ1cTt"])]
router = APIRouter(prefix="/api/shares", tags=["shares"], route_class=ApiRoute)


@router.get("", summary="List shares", responses=describe_errors(404, 500), name="list_shares")
async def list_own_shares() -> ShareList:
    """What one shares with other accounts, and what one was given."""
    accounts, asker = whoever_asks()
    return await asyncio.to_thread(list_shares, accounts, asker.account)


@router.post(
    "", status_code=201, summary="Share", responses=describe_errors(400, 404, 413, 422, 500)
)
async def share_with_account(new: NewShare) -> ShareLine:
    """Share a session or a graph with an account, or with everyone who has one."""
    accounts, asker = whoever_asks()

    def share() -> ShareLine:
        args = new.kind, new.thing, new.account
        made = share_thing(accounts, asker.account, *args)
        title = title_of(SharedThing(made, get_backend()))
        return ShareLine(
            title=title,
            owner=asker.account.name,
            account=new.account,
            **made.model_dump(exclude={"owner", "recipient"}),
        )

    return await asyncio.to_thread(share)


@router.delete("/{id}", summary="End a share", responses=describe_errors(404, 500))
async def end_account_share(id: ShareId) -> ShareRef:
    """Share something with nobody of this share any more."""
    accounts, asker = whoever_asks()
    await asyncio.to_thread(accounts.end_share, asker.account.id, id)
    return ShareRef(id=id)


@router.get("/{id}/session", summary="Show a shared session", responses=describe_errors(404, 500))
async def show_shared_session(id: ShareId) -> Report:
    """The report of a session that one was given. Empty members are left out."""
    accounts, asker = whoever_asks()
    found = await asyncio.to_thread(find_shared, accounts, asker.account, id, "session")
    share, space = found
    return await space.sessions.call_async(lambda to: to.show(share.thing))


@router.get("/{id}/graph", summary="Show a shared graph", responses=describe_errors(404, 500))
async def show_shared_graph(id: ShareId) -> Version:
    """The newest version of a graph that one was given."""
    accounts, asker = whoever_asks()
    found = await asyncio.to_thread(find_shared, accounts, asker.account, id, "graph")
    return await asyncio.to_thread(shared_graph, found)


@router.post(
    "/{id}/copy",
    status_code=201,
    summary="Copy a shared graph",
    responses=describe_errors(400, 404, 409, 413, 422, 500),
)
async def copy_shared_graph(id: ShareId, wanted: SharedCopy) -> Version:
    """Copy a graph that one was given into one's own saved graphs."""
    accounts, asker = whoever_asks()
    space = get_backend()

    def copy() -> Version:
        version = shared_graph(find_shared(accounts, asker.account, id, "graph"))
        library = open_library(space.settings)
        return library.save(wanted.name, write_graph(version.spec), author=space.author)

    return await asyncio.to_thread(copy)
