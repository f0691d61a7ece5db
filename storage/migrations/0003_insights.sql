-- Insights: the measurement of each run, the sums of runs by hour and by day, and the load of the agents' machines.

-- One row for each run that has started or ended, written with the transition of the run. It never changes after the run's end, and it
-- is kept when the run is purged.
create table run_measurement (
  run_id text collate "C" primary key,
  agent_id text collate "C" not null,
  -- The canonical name. Null if the codebase had no remote.
  repository text collate "C",
  kind text collate "C" not null,
  queued_at bigint,
  admitted_at bigint,
  started_at bigint,
  -- Null until the run ends, as `status`. Not before `started_at`.
  ended_at bigint,
  status text collate "C",
  -- Null if the coding CLI did not report its usage.
  input_tokens double precision,
  output_tokens double precision,
  cached_input_tokens double precision,
  cost double precision,
  currency text collate "C",
  -- The places of the queue wait and of the duration on a scale of steps of 10 %, by which percentiles are counted
  -- (storage/insights/timeScale.ts).
  wait_place smallint,
  duration_place smallint,
  -- Whether the run is part of the sums below. A run is added to them once, by the statement that sets this.
  summed boolean not null default false
);
-- The runs that ended in a time that is not made of whole hours.
create index run_measurement_ended on run_measurement (ended_at) where ended_at is not null;
-- The runs of an agent's machine: there are no sums of an agent for a repository or a kind.
create index run_measurement_agent on run_measurement (agent_id, ended_at);
-- The runs that executed at some moment of a time. A run that has not ended has no upper bound.
create index run_measurement_executed on run_measurement using gist (int8range(started_at, ended_at, '[]'))
  where started_at is not null;
-- The runs that are not part of the sums: those that execute, and those that have ended since the last housekeeping.
create index run_measurement_unsummed on run_measurement (ended_at) where not summed;

-- The sums of the runs of an hour or of a day, in UTC: for each combination of repository and kind, and for each agent. An empty
-- name stands for all. Runs count in the time in which they ended; `started` and `busy_ms` count in the time in which they started
-- and executed.
create table run_sum (
  agent_id text collate "C" not null,
  repository text collate "C" not null,
  kind text collate "C" not null,
  -- The length in milliseconds: 3,600,000 or 86,400,000.
  length integer not null,
  at bigint not null,
  started integer not null,
  succeeded integer not null,
  failed integer not null,
  canceled integer not null,
  timed_out integer not null,
  lost integer not null,
  skipped integer not null,
  busy_ms bigint not null,
  usage_runs integer not null,
  input_tokens double precision not null,
  output_tokens double precision not null,
  cached_input_tokens double precision not null,
  -- The places on that scale, one byte for each run, in any order. So sums are added by appending, and read without unpacking.
  waits bytea not null,
  durations bytea not null,
  primary key (agent_id, repository, kind, length, at)
);

-- The costs of the same runs. Nearly all installations have one currency.
create table run_sum_cost (
  agent_id text collate "C" not null,
  repository text collate "C" not null,
  kind text collate "C" not null,
  length integer not null,
  at bigint not null,
  currency text collate "C" not null,
  amount double precision not null,
  primary key (agent_id, repository, kind, length, at, currency)
);

-- The runs of an agent's machine in a day, in UTC: how many ended, and for how long they executed.
create table agent_sum (
  at bigint not null,
  agent_id text collate "C" not null,
  ended integer not null,
  busy_ms bigint not null,
  primary key (at, agent_id)
);

-- The runs that exist. They are read in the form in which this version stores them. Texts of agents may contain U+0000 and lone
-- surrogates, which PostgreSQL does not accept when it takes a JSON apart, and an agent may have sent anything as usage.
create function pg_temp.parsed(value text) returns json language sql immutable
  return (case when strpos(value, '\u') = 0 then value
    else regexp_replace(value, '\\u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})', '\\ufffd', 'g') end)::json;
create function pg_temp.counted(value json) returns double precision language sql immutable
  return case when json_typeof(value) = 'number' and (value #>> '{}')::double precision >= 0
    then (value #>> '{}')::double precision end;

insert into run_measurement (run_id, agent_id, repository, kind, queued_at, admitted_at, started_at, ended_at, status,
  input_tokens, output_tokens, cached_input_tokens, cost, currency)
select r.id, r.agent_id, coalesce(r.init -> 'place' ->> 'repository', p.init::json ->> 'name'), r.init ->> 'kind',
  (r.snapshot #>> '{context,queue,queuedAt}')::bigint, (r.snapshot #>> '{context,times,admitted}')::bigint,
  (r.snapshot #>> '{context,times,started}')::bigint,
  case when r.snapshot #>> '{context,times,ended}' is not null
    then greatest((r.snapshot #>> '{context,times,ended}')::bigint, (r.snapshot #>> '{context,times,started}')::bigint) end,
  case when r.snapshot #>> '{context,times,ended}' is not null then r.snapshot #>> '{value,lifecycle}' end, u.input, u.output,
  case when u.input is not null then coalesce(u.cached, 0) end, u.cost, case when u.cost is not null then u.currency end
from (
  select id, agent_id, terminal, init::json as init, pg_temp.parsed(snapshot) as snapshot from actor_run offset 0
) r
  left join actor_codebase c on c.id = r.init ->> 'codebaseId'
  left join actor_repository p on p.id = c.scope_id
  left join lateral (
    select input, output, cached, currency, case when currency ~ '^[A-Z]{3}$' then amount end as cost
    from (
      select pg_temp.counted(usage -> 'inputTokens') as input, pg_temp.counted(usage -> 'outputTokens') as output,
        pg_temp.counted(usage -> 'cachedInputTokens') as cached, pg_temp.counted(usage #> '{cost,amount}') as amount,
        usage #>> '{cost,currency}' as currency
      from (
        select pg_temp.parsed(m.value) -> 'usage' as usage from member m where m.actor = r.id and m.key = 'result'
      ) m
    ) m
    where r.terminal and input is not null and output is not null
  ) u on true
where r.snapshot #>> '{context,times,started}' is not null or r.snapshot #>> '{context,times,ended}' is not null;

update run_measurement m
set wait_place = case when wait <= 0 then 0 else least(255, 1 + floor(ln(wait) / ln(1.1::double precision))) end,
  duration_place = case when duration <= 0 then 0 else least(255, 1 + floor(ln(duration) / ln(1.1::double precision))) end
from (
  select run_id, (coalesce(admitted_at, ended_at) - queued_at)::double precision as wait,
    (ended_at - started_at)::double precision as duration
  from run_measurement
) t
where t.run_id = m.run_id and m.ended_at is not null;

-- The load of each agent's machine: the first heartbeat of each minute, for a day.
create table machine_load (
  agent_id text collate "C" not null,
  -- The beginning of the minute.
  at bigint not null,
  load double precision not null,
  free_memory bigint not null,
  primary key (agent_id, at)
);
-- Minutes that are removed. They are written in the order of time.
create index machine_load_at on machine_load using brin (at);

-- The same by hours, in UTC, for 90 days.
create table machine_load_hour (
  agent_id text collate "C" not null,
  at bigint not null,
  minutes smallint not null,
  load double precision not null,
  load_max double precision not null,
  free_memory bigint not null,
  free_memory_min bigint not null,
  primary key (agent_id, at)
);
create index machine_load_hour_at on machine_load_hour using brin (at);
