"""The lines of a running job on its page."""

from collections.abc import Callable

from django.test import Client

from jobs import api
from tests.jobs import rows
from tests.processes import Worker, until

HTMX = {"HX-Request": "true"}


def lines(client: Client, job: int) -> str:
    response = client.get(f"/admin/jobs/job/{job}/lines/", headers=HTMX)
    assert response.status_code == 200
    return response.content.decode()


def test_the_page_of_a_running_job_asks_for_its_lines(
    queue: None, viewer: Client, start_worker: Callable[..., Worker]
) -> None:
    start_worker()
    job = api.enqueue("talks", "ana", "1", args={"lines": ["<b>It begins.</b>", "password=hunter22"], "seconds": 60}).id
    until(lambda: rows.status(job) == "running")
    page = viewer.get(f"/admin/jobs/job/{job}/change/").content.decode()
    assert f'hx-get="/admin/jobs/job/{job}/lines/" hx-trigger="load, every 3s"' in page
    until(lambda: "&lt;b&gt;It begins.&lt;/b&gt;" in lines(viewer, job))
    assert "hunter22" not in lines(viewer, job)


def test_once_it_is_over_the_page_asks_no_more(queue: None, viewer: Client) -> None:
    job = api.enqueue("plain", "ana", "1").id
    assert "hx-get" not in viewer.get(f"/admin/jobs/job/{job}/change/").content.decode()
    response = viewer.get(f"/admin/jobs/job/{job}/lines/", headers=HTMX)
    assert response.status_code == 286  # which tells htmx to stop
    assert "It does not run any more." in response.content.decode()


def test_who_may_not_see_jobs_sees_no_lines(queue: None, sign_in: Callable[[str], Client]) -> None:
    job = api.enqueue("plain", "ana", "1").id
    stranger = sign_in("stranger")
    assert "does not run" not in stranger.get(f"/admin/jobs/job/{job}/lines/", headers=HTMX).content.decode()
