"""Adapters for other libraries: one thin file for each, imported only when it is used.

    library            import ocaml_env.integrations.   gives
    -----------------  -------------------------------  --------------------------------------------------------
    TRL                trl                              a reward function, a rollout_func, an environment_factory
    SkyRL              skyrl_gym                        a text environment
    GEM                gem                              an environment
    reasoning-gym      reasoning_gym                    a procedural data set
    verl               verl                             compute_score, and the rows of its parquet files
    verifiers          verifiers                        a taskset, and an environment of several turns
    OpenEnv            openenv                          a server, and its typed client
    Inspect            inspect_ai                       a task with pass@k, a solver and a scorer
    Stable-Baselines3  stable_baselines3                the vector environment as a VecEnv, of answers to choose

Each needs only its own library: ``pip install 'ocaml-env[trl]'``, and so on. All evaluate through
``ocaml_env.episode``, so a completion earns the same as from ``env.step``; ``tests/integrations/`` runs recorded
completions through each and compares.

There is no adapter for lm-eval, whose tasks receive only the text of an answer and return only a number. They would
lose the truncation flag, which rewards depend on, and the outcome, and an infrastructure error could only end the run.
Use ``inspect_ai`` or ``python -m benchmarks.evaluate`` to measure pass@k with all of that.

An infrastructure error is never a reward of 0. Each file says in a paragraph "Not scored" how it is reported in its
library.
"""
