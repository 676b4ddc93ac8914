"""Loads the files of an import some at a time, so that each costs a share of one question to the database."""

from coach.models import ImportFile, ImportRun, Provenance

AHEAD = 100


class Files:
    """The files of one import in the order of their items, with what is known of their bytes already."""

    def __init__(self, subject: str) -> None:
        self._run = ImportRun.objects.select_related("source__athlete__user").filter(pk=int(subject)).first()
        self._loaded: dict[int, ImportFile] = {}
        self._known: set[str] = set()

    def get(self, key: str) -> ImportFile | None:
        """Return the file of an item; None when it was deleted."""
        pk = int(key)
        if pk not in self._loaded and self._run is not None:
            found = ImportFile.objects.filter(run=self._run, pk__gte=pk).order_by("pk")[:AHEAD]
            self._loaded = {file.pk: file for file in found}
            hashes = {file.sha256 for file in self._loaded.values()}
            there = Provenance.objects.filter(athlete=self._run.source.athlete, sha256__in=hashes)
            self._known = set(there.values_list("sha256", flat=True))
        file = self._loaded.get(pk)
        if file is not None and self._run is not None:
            file.run = self._run
        return file

    def is_known(self, file: ImportFile) -> bool:
        """Say whether the athlete has a recording of these bytes, so that they need not be decoded."""
        return file.sha256 in self._known
