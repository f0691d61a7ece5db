-- The schema with which every database begins. A later change is a file of its own with the next number.
--
-- Times are milliseconds since 1970 as bigint: a statement parses 100,000 of them in 30 ms, and as many timestamptz in 58 ms.
-- The driver returns them as numbers.
--
-- IDs and keys have the collation "C". They are compared byte by byte, so an order here is the order in the program.
--
-- Tables that are partitioned by time get a partition for each month ahead of it, and are purged by whole months
-- (storage/retention/retention.ts). Rows for which no month was created go to the default partition.
--
-- Rows with `fillfactor = 50` are rewritten in place all the time: the free half of each page keeps their new versions.

-- Compares titles in searches.
create extension if not exists pg_trgm;

-- The migrations that were applied, this file first. The hash is the SHA-256 of the file.
create table migration (
  name text collate "C" primary key,
  hash text collate "C" not null,
  applied_at timestamptz not null default now()
);


-- Actors and their journal ------------------------------------------------------------------------------------------------

-- One row for each actor: its snapshot, and beside it the columns by which queries filter, sort and join.
create table actor (
  id text collate "C" not null,
  kind text collate "C" not null,
  seq integer not null,
  owner text collate "C" not null,
  machine_version integer not null,
  machine_hash text collate "C" not null,
  status text collate "C" not null,
  phase text collate "C",
  terminal boolean not null,
  unwatched boolean not null,
  incidents integer not null,
  number integer,
  agent_id text collate "C",
  worktree_id text collate "C",
  scope_id text collate "C",
  -- Both keys are one name space within a kind: the commit statement looks for a new key in both columns before it writes. Two
  -- transactions that take one key at the same time, one in each column, are not detected. No two kinds of key can be equal
  -- that way: they begin differently, are random, or are decided by one actor. A table of keys would cost each creation a row.
  unique_key text collate "C",
  other_key text collate "C",
  sort_at bigint,
  stuck_at bigint,
  next_due bigint,
  created_at bigint not null,
  changed_at bigint not null,
  snapshot text not null,
  init text not null,
  ended_as text collate "C" generated always as (case when terminal then status end) stored,
  primary key (id, kind)
) partition by list (kind);

-- A transition that changes no indexed column is written beside the old row and touches no index ("HOT"): 30 µs of PostgreSQL's
-- time instead of 60. So there is no index on `status`, `stuck_at` or `changed_at`, which nearly every transition changes. A
-- partial index costs nothing for rows that it leaves out.

-- Actors that have not ended: lists by status, the stuck ones, and at the start those of another definition.
create index actor_by_live on actor (id) where not terminal;
-- Lists and counts of ended actors by the status in which they ended. It is written once.
create index actor_by_ended on actor (ended_as, id) where ended_as is not null;
-- The runs of a worktree, in the order in which they were queued.
create index actor_by_worktree on actor (worktree_id, sort_at, id) where worktree_id is not null;
-- The codebases, worktrees, runs and jobs of an agent.
create index actor_by_agent on actor (agent_id, id) where agent_id is not null;
-- The actors of another one (`scope_id`), such as the runs of a plan, the crash reports of an app or the codebases of a repository.
create index actor_by_scope on actor (scope_id, id) where scope_id is not null;
-- The timers that are due.
create index actor_by_next_due on actor (next_due) where next_due is not null;
-- Actors with failed effects: they are stuck, even if they have ended.
create index actor_by_incidents on actor (id) where incidents > 0;

-- Each kind has a partition, and keys are unique within it. The program creates the partitions with an index of each key, after
-- this file and before the next one: spec/core/kinds.ts lists the kinds, storage/database/partitions.ts creates what is missing.
-- These are the ones that differ.
create table actor_codebase partition of actor for values in ('codebase');
create unique index actor_codebase_unique_key on actor_codebase (unique_key) where unique_key is not null;
create unique index actor_codebase_other_key on actor_codebase (other_key) where other_key is not null;
-- The codebases in a folder, on any agent. It is written once, since `init` never changes.
create index actor_codebase_path on actor_codebase (((init::json) ->> 'path'), id);

create table actor_crashreport partition of actor for values in ('crashReport');
create unique index actor_crashreport_unique_key on actor_crashreport (unique_key) where unique_key is not null;
create unique index actor_crashreport_other_key on actor_crashreport (other_key) where other_key is not null;
-- Crash reports in the order in which the crashes happened. It is written once, since that time never changes.
create index actor_crashreport_happened on actor_crashreport (sort_at, id);

create table actor_job partition of actor for values in ('job');
create unique index actor_job_unique_key on actor_job (unique_key) where unique_key is not null;
create unique index actor_job_other_key on actor_job (other_key) where other_key is not null;
-- The jobs of an agent that have not ended: read whenever it connects, and thousands of its jobs may have ended.
create index actor_job_living_by_agent on actor_job (agent_id, id) where not terminal;

create table actor_run partition of actor for values in ('run');
create unique index actor_run_unique_key on actor_run (unique_key) where unique_key is not null;
create unique index actor_run_other_key on actor_run (other_key) where other_key is not null;
-- The runs that a run has started. Most runs have no parent, so the index is small.
create index actor_run_parent on actor_run (((init::json) ->> 'parentRunId'), id)
  where ((init::json) ->> 'parentRunId') is not null;

-- Actors of these kinds are found by their IDs alone.
create table actor_mcpserver partition of actor for values in ('mcpServer');
create table actor_telemetrysettings partition of actor for values in ('telemetrySettings');
create table actor_toolgrant partition of actor for values in ('toolGrant');

-- Rows of a kind that has no partition.
create table actor_default partition of actor default;
create unique index actor_default_unique_key on actor_default (kind, unique_key) where unique_key is not null;
create unique index actor_default_other_key on actor_default (kind, other_key) where other_key is not null;

-- The entries of an actor's collection; the value is JSON.
create table member (
  actor text collate "C" not null,
  key text collate "C" not null,
  value text not null,
  primary key (actor, key)
);

-- Values that are too large for an actor's snapshot and are kept as long as the actor, in pieces: the threads of crash reports.
create table content (
  owner text collate "C" not null,
  number integer not null,
  at bigint not null,
  data bytea not null,
  primary key (owner, number)
);
-- Pieces whose owner was never created. Housekeeping deletes them.
create index content_at on content (at) where number = 0;

-- One row for each transition, by month.
create table journal (
  at bigint not null,
  actor text collate "C" not null,
  seq integer not null,
  kind text collate "C" not null,
  owner text collate "C" not null,
  event text not null,
  status text collate "C" not null,
  detail text not null,
  -- The transaction that committed it, with the shift of `journal_position`. It orders the transitions of a kind so that none is
  -- added later in between. A time or a sequence is assigned before the commit, and another commit may overtake it.
  tx bigint not null,
  -- The keys of the members that it changed: a process that has an earlier state in memory reads only these. Null for none;
  -- empty for more than are worth listing, and then the actor is read completely.
  members text[] collate "C"
) partition by range (at);
-- The history of an actor, and what changed since a state that a process has in memory.
create index journal_actor on journal (actor, seq);
-- The transitions of a kind in their order. The transitions of one transaction are one entry of the index.
create index journal_tx on journal (tx);
create table journal_default partition of journal default;

-- One row: how `journal.tx` is assigned, and which release may assign it.
create table journal_position (
  one boolean not null default true primary key check (one),
  -- Added to PostgreSQL's transaction IDs, which begin low again if a dump is restored into another server.
  shift bigint not null default 0,
  -- The greatest `tx` of the months that were purged.
  gone bigint not null default 0,
  -- The release of the program that may commit: a name made of its schema and its machines. For any other one `journal.tx` gets no
  -- value, and the commit fails. Null until a program has started.
  release text collate "C",
  -- The server's timeline, which changes with a fail-over and with a recovery to a point in time. The end of the old timeline may
  -- be lost, so cursors from before are gone.
  timeline bigint
);
insert into journal_position default values;

-- The results of the idempotency keys of clients, for 24 hours.
create table idempotency (
  key text collate "C" primary key,
  input_hash text collate "C" not null,
  actor text collate "C" not null,
  at bigint not null
);
-- Keys that have expired.
create index idempotency_at on idempotency (at);

-- Every machine definition that ever ran, by its hash.
create table definition (
  kind text collate "C" not null,
  hash text collate "C" not null,
  version integer not null,
  definition text not null,
  first_seen bigint not null,
  primary key (kind, hash)
);


-- Effects, processes and quarantine -----------------------------------------------------------------------------------------

-- Effects that were decided and are not confirmed; (actor, seq, n) is the effect's ID. A row is claimed by the process that
-- commits it.
create table outbox (
  actor text collate "C" not null,
  seq integer not null,
  n integer not null,
  type text collate "C" not null,
  params text not null,
  attempts integer not null default 0,
  due bigint not null,
  claimed_by text collate "C",
  claimed_until bigint not null,
  problem text,
  failed_at bigint,
  -- Whether the failure was reported to the actor. A crash between the two would otherwise lose the incident.
  told boolean not null default false,
  primary key (actor, seq, n)
);
-- Effects that may be claimed, and claims of processes that have ended.
create index outbox_claimable on outbox (claimed_until) where failed_at is null;
-- Ended actors whose last effects failed: they are stuck too, and their rows do not have it.
create index outbox_failed on outbox (actor) where failed_at is not null;
-- Failures that are still to be reported.
create index outbox_untold on outbox (failed_at) where failed_at is not null and not told;

-- The heartbeats of processes, one a second each. The claims of a process without heartbeats expire.
create table process (
  owner text collate "C" primary key,
  seen_at bigint not null
) with (fillfactor = 50);

-- Actors that a process could not continue: their stored state does not fit the machine, or a timer's transition fails. An entry
-- is valid while its actor has the sequence `seq`, so the next transition of the actor ends it.
create table quarantine (
  actor text collate "C" primary key,
  kind text collate "C" not null,
  seq integer not null,
  problem text not null,
  since bigint not null,
  retry_at bigint not null,
  attempts integer not null
);


-- Streams -------------------------------------------------------------------------------------------------------------------

-- The head of each append-only stream (log chunks, run events, bodies of webhooks): the first entry that is kept, and the next.
create table stream (
  name text collate "C" primary key,
  first bigint not null default 0,
  next bigint not null,
  ended boolean not null default false
);

-- The entries of the streams, by month. Only the statement that moves the head writes them, so a sequence is unique without an
-- index that enforces it.
create table stream_entry (
  at bigint not null,
  stream text collate "C" not null,
  sequence bigint not null,
  kind text collate "C" not null,
  data bytea not null
) partition by range (at);
-- A page of a stream.
create index stream_entry_sequence on stream_entry (stream, sequence);
create table stream_entry_default partition of stream_entry default;


-- Agents and runs -----------------------------------------------------------------------------------------------------------

-- The latest heartbeat of each agent, and the load and free memory of its machine; null if it has not reported any.
create table presence (
  agent_id text collate "C" primary key,
  at bigint not null,
  load double precision,
  free_memory bigint
) with (fillfactor = 50);

-- The last display number that was given, by series.
create table counter (
  series text collate "C" primary key,
  last bigint not null
) with (fillfactor = 50);


-- Search --------------------------------------------------------------------------------------------------------------------

-- The search document of each actor. The program splits texts into words and folds them (storage/search/words.ts), so results
-- depend neither on the database's locale nor on how its parser sees paths and identifiers. An actor that can no longer be found
-- keeps its row without a title: who fills in missing documents then finds that there is one.
create table search_document (
  actor text collate "C" primary key,
  kind text collate "C" not null,
  -- Of the kind's search function (`searchVersion`).
  version integer not null,
  title text,
  body text,
  -- The title, folded.
  title_key text collate "C",
  -- The kind is one of the words, so that the index alone finds a rare kind among many others.
  words tsvector,
  -- The ID without the prefix of its kind. It begins with the time of creation, so this is the order of creation of all kinds.
  made text collate "C" generated always as (split_part(actor, '_', 2)) stored
);
-- GIN collects new entries in a pending list and inserts them together, which is a fraction of the work. With the usual 4 MB a
-- commit that inserts them takes 0.1 s, and each search reads the list.
-- Documents with the words of a query.
create index search_document_words on search_document using gin (words) with (gin_pending_list_limit = 1024);
-- Similar titles, and parts of titles.
create index search_document_similar on search_document using gin (title_key gin_trgm_ops) with (gin_pending_list_limit = 1024);
-- Documents with exactly this title, newest first.
create index search_document_title on search_document (kind, title_key, made desc) where title_key is not null;
-- The newest documents, for words that too many have.
create index search_document_made on search_document (made) where title_key is not null;

-- The kinds of which every actor has a document of this version.
create table search_filled (
  kind text collate "C" primary key,
  version integer not null
);


-- Telemetry -----------------------------------------------------------------------------------------------------------------

-- Log records and events that clients sent, by month. `at` is the time at which the server received one; with `number` it is the
-- order of lists.
create sequence telemetry_record_number as bigint cache 1;
create table telemetry_record (
  at bigint not null,
  number bigint not null default nextval('telemetry_record_number'),
  kind text collate "C" not null,
  happened bigint not null,
  severity smallint,
  severity_text text,
  event_name text,
  body text,
  -- Whether `body` is JSON. Otherwise it is the text itself.
  body_json boolean not null,
  attributes text not null,
  resource text not null,
  session_id text collate "C",
  trace_id text collate "C",
  span_id text collate "C",
  record_id text
) partition by range (at);
-- Lists of a kind, newest first.
create index telemetry_record_order on telemetry_record (kind, at, number);
-- The records of a session, and those of a trace.
create index telemetry_record_session on telemetry_record (session_id, at) where session_id is not null;
create index telemetry_record_trace on telemetry_record (trace_id, at) where trace_id is not null;
create table telemetry_record_default partition of telemetry_record default;

-- The names that senders gave their records, for seven days: the first 128 bits of a SHA-256. A record whose name is here is
-- stored already. A unique index of the records would contain the month, so a repeat in the next month would pass.
create table telemetry_key (
  key uuid primary key,
  at bigint not null
);
-- Names that have expired.
create index telemetry_key_at on telemetry_key using brin (at);


-- Tools ---------------------------------------------------------------------------------------------------------------------

-- The audit of tool calls, by month. `at` is the time at which a call began; with `number` it is the order of lists. Every call
-- waits for its row, so there are only indexes that narrow a search.
create sequence tool_call_number as bigint cache 1;
create table tool_call (
  at bigint not null,
  number bigint not null default nextval('tool_call_number'),
  duration_ms double precision not null,
  caller text collate "C" not null,
  source text collate "C" not null,
  scope_id text collate "C",
  tool text collate "C",
  server_id text collate "C",
  raw_name text collate "C",
  arguments_sha256 text collate "C" not null,
  request_id text collate "C" not null,
  outcome text collate "C" not null,
  code text collate "C"
) partition by range (at);
-- All calls, newest first.
create index tool_call_order on tool_call (at, number);
-- The calls of a caller, of a tool, of a request, of a run or preset, and of an external server.
create index tool_call_caller on tool_call (caller, at, number);
create index tool_call_tool on tool_call (tool, at, number);
create index tool_call_request on tool_call (request_id);
create index tool_call_scope on tool_call (scope_id, at, number) where scope_id is not null;
create index tool_call_server on tool_call (server_id, at, number) where server_id is not null;
-- Calls that did not succeed. Nearly all succeed, so the order finds the others.
create index tool_call_failed on tool_call (at, number) where outcome <> 'SUCCESS';
create table tool_call_default partition of tool_call default;


-- Health --------------------------------------------------------------------------------------------------------------------

-- One row, which the readiness probe updates to find out whether the database accepts writes.
create table write_probe (
  one boolean primary key default true check (one),
  at timestamptz not null default now()
);
