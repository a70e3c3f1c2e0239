# The command `ocaml-env` with its service, on Debian 13 (OCaml 5.3, Python 3.13), as an ordinary user.
#
#   docker build --tag ocaml-env .
#   docker run --rm --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges ocaml-env doctor
#
# docs/trust.md says which layers of the sandbox hold inside a container.
FROM debian:trixie-slim AS build
# Debian's own versions: the release of the image pins them.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends python3 python3-venv \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY constraints.txt ./
RUN python3 -m venv /opt/ocaml-env \
    && /opt/ocaml-env/bin/pip install --no-cache-dir --constraint constraints.txt hatchling editables
COPY pyproject.toml README.md LICENSE ./
COPY ocaml_env ocaml_env
RUN /opt/ocaml-env/bin/pip install --no-cache-dir --constraint constraints.txt --no-build-isolation '.[evaluate,server]'

FROM debian:trixie-slim
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends ocaml-findlib ocaml-nox python3 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --create-home ocaml
COPY --from=build /opt/ocaml-env /opt/ocaml-env
ENV PATH=/opt/ocaml-env/bin:$PATH OCAML_ENV_CACHE=/opt/engine
# The engine is built here, so that the container may be read-only.
RUN ocaml-env build
USER 10001
WORKDIR /home/ocaml
EXPOSE 8787
ENTRYPOINT ["ocaml-env"]
CMD ["serve", "--host", "0.0.0.0"]
