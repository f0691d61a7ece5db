-- The runs that a run has started: most have no parent, so the index is small.
create index actor_run_parent on actor_run (((init::json) ->> 'parentRunId'), id) where ((init::json) ->> 'parentRunId') is not null;
