"""The words by which addresses, form fields and calls say what they do."""

from typing import Final


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


LEAVE: Final = _set(
    "logout logouts logoff signout signoff userlogout logmeout endsession closesession"
    " deconnexion abmelden"
    " unsubscribe optout"
)
"""Said anywhere in a path, it is done."""
UNDO: Final = _set(
    "delete del remove destroy erase purge trash unlink wipe upvote downvote unvote unfollow unlike"
    " unwatch unstar unpin revoke deactivate uninstall rollback revert addtocart unpublish markread"
    " markasread markpatrolled supprimer loeschen eliminar borrar elimina verwijder"
)
"""Said of a thing, it is done."""
ALTER: Final = _set(
    "vote like dislike follow watch star fave favorite favourite bookmark hide flag block unblock"
    " ban mute subscribe approve reject accept decline confirm activate enable disable publish"
    " archive unarchive restore undo reset close reopen mark join leave save thank thanks"
    " rate pay buy toggle install lock unlock protect unprotect patrol move rename merge submit"
    " commit execute post retire undelete"
)
"""Names of things as well: they need more to be believed."""
WRITES: Final = _set(
    "add create insert update set put write modify change send store upload import register order"
    " checkout assign unassign invite grant transfer record draft login"
)
READS: Final = _set(
    "get list search find fetch read query count show view load lookup look suggest autocomplete"
    " complete typeahead filter sort preview compare diff validate check describe select exists has"
    " is browse index edit new form back export download stats info parse expand render template"
    " tooltip eth opensearch cancel"
)
READS_JOINED: Final = (
    "get",
    "list",
    "search",
    "fetch",
    "query",
    "preview",
    "suggest",
    "stash",
    "autocomplete",
)
"""Verbs that stand before another word without a gap."""
READS_LAST: Final = _set("query search list suggestions preview count")
COMMANDS: Final = _set(
    "action do op cmd command mode task act method _method event func fn verb how what todo call"
    " @action :action _action wpaction operation"
)
"""Names of fields that say what is to be done."""
BAGS: Final = _set("cart basket bag wishlist favorites favourites watchlist")
TELLING: Final = _set(
    "analytics telemetry beacon beacons metrics metric tracking track tracker collect collector rum"
    " stats pixel ping heartbeat csp report reports cspreport jserror jserrors errors envelope gtag"
    " gtm impression impressions log logs logging logger statistics counter keepalive"
)
"""Where pages report how they are used."""
LOOKING: Final = _set(
    "search msearch find query queries autocomplete suggest suggestions suggester typeahead lookup"
    " filter filters facets preview validate completion completions opensearch recherche suche"
    " buscar busqueda busca cerca zoeken szukaj poisk"
)
"""Names of addresses that answer what is looked for."""
SEARCHED: Final = _set("q query search s keyword keywords term terms wpsearch searchterm")
"""Names of fields for what is looked for."""
MANUALS: Final = _set(
    "docs doc documentation reference manual wiki guide guides help tutorial tutorials learn"
    " library stable latest blog questions handbook"
)
"""Folders of pages to read."""
TYPED: Final = _set("text email tel url password textarea file editable")
"""Kinds of fields for what people write."""
TOGGLES: Final = _set("complete completed done enable enabled notify toggle publish")
METHODS: Final = _set("post put patch delete")
CALLS: Final = (".submit(", "requestsubmit", "fetch(", ".post(", ".put(", ".delete(", ".patch(")
"""What a handler sends something by."""
