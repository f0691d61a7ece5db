-- The jobs of an agent that are not over: asked for whenever an agent connects, and an agent may have thousands that are.
create index actor_job_living_by_agent on actor_job (agent_id, id) where not terminal;
