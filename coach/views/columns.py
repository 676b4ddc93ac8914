"""Asks what the columns of a table are, shows its first rows, and has it read by the answer."""

from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from coach import columns as service
from coach.columns_form import ColumnsForm
from coach.models import ImportFile
from coach.retelling import retold
from coach.views.access import AthleteRequest, for_athlete
from jobs import api


@require_http_methods(["GET", "HEAD", "POST"])
@for_athlete
def columns(request: AthleteRequest, pk: int) -> HttpResponse:
    files = ImportFile.objects.select_related("run__source__athlete")
    file = get_object_or_404(files, run__source__athlete=request.athlete, pk=pk)
    preview = service.preview(file)
    if preview is None:
        raise Http404("This file is no table.")
    form = ColumnsForm(request.POST or None, preview=preview)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                service.say(file, preview, form.mapping(), by=request.user)
            except api.LaneBusy as busy:
                told = gettext("%(holder)s is at work on this source. Save again when it has ended.")
                told %= {"holder": retold(busy.holder)}
                form.add_error(None, told)
                status = 409
            else:
                return HttpResponseRedirect(f"{reverse('imports')}#run-{file.run_id}")
    context = {"file": file, "form": form, "rows": preview.rows, "more": preview.count - len(preview.rows)}
    return render(request, "coach/columns.html", context, status=status)
