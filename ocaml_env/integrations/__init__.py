"""The environment in other people's libraries: one thin file a library, imported only when it is asked for.

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

Each needs its library and no other one: ``pip install 'ocaml-env[trl]'``, and so on. What a completion earns is what
``env.step`` pays, because all of them evaluate through ``ocaml_env.episode``; ``tests/integrations/`` plays recorded
completions through each and compares.

There is none for lm-eval, whose tasks are given the text of an answer and nothing else. Whether it was truncated, which
rewards depend on, is lost; so is the outcome, since a result is a number; and an infrastructure error could only end
the run. ``inspect_ai`` and ``python -m benchmarks.evaluate`` measure pass@k with all of that.

An infrastructure error is never a reward of 0. It goes where the library has a place for "not scored": each file says
where.
"""
