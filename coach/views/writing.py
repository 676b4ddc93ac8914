"""What an athlete may know and decide about the language model: what is sent, and whether anything is."""

import json

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from coach import writing
from coach.views.access import AthleteRequest, for_athlete
from coach.views.letters import page
from coach.views.screens import facts_of


@require_safe
@for_athlete
def sent(request: AthleteRequest, scope: str, subject: str) -> HttpResponse:
    """Show the messages of a request for this text, to be read, and letter for letter."""
    facts = facts_of(request.athlete, scope, subject)
    said = writing.as_sent(request.athlete, facts)
    context = {
        "facts": facts,
        "sent": said,
        "parts": readable(said),
        "note_sent": writing.note_as_sent(request.athlete, facts),
        "writing": writing.of(request.athlete),
        "page": page(scope, subject),
    }
    return render(request, "coach/sent.html", context)


def readable(sent: str) -> list[tuple[str, str]]:
    """Return the role and the content of each message; what is JSON itself with a line for each value."""
    return [(message["role"], unfolded(message["content"])) for message in json.loads(sent)]


def unfolded(content: str) -> str:
    try:
        return json.dumps(json.loads(content), indent=1, ensure_ascii=False)
    except ValueError:
        return content


@require_POST
@for_athlete
def model_switch(request: AthleteRequest) -> HttpResponse:
    """Take `use` for the answer: 1 to have a model write, anything else to have nothing sent to one."""
    use = request.POST.get("use") == "1"
    writing.use_model(request.athlete, use)
    said = gettext("A language model may write for you.") if use else gettext("Nothing of yours is sent to a language model from now on.")  # fmt: skip  # noqa: E501
    messages.success(request, said)
    return HttpResponseRedirect(reverse("settings") + "#model")
