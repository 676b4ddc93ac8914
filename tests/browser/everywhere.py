"""Every page of an athlete, found by the links, with the states that a page alone does not have."""

from django.test import Client

from tests import walk

# Pages that no link leads to, yet that people see.
DEAD_ENDS = ("/nothing-here/", "/import/files/0/columns/")


def addresses(client: Client, *, that_hold: str = "") -> list[str]:
    """Return one address of each kind of page that shows HTML to the one who is signed in."""
    answers = {page.address: page.get(client) for page in walk.pages(client) if not page.is_fragment}
    return [
        address
        for address, answer in answers.items()
        if answer.status_code == 200
        and answer["Content-Type"].startswith("text/html")
        and that_hold in answer.content.decode()
    ]


def screens(client: Client) -> list[str]:
    """Return one address of each screen whose text is waited for."""
    return addresses(client, that_hold='id="insight-status" class="status" data-poll')
