-- Times are milliseconds since 1970 as bigint: 100,000 of them arrive in a statement in 30 ms where timestamptz takes 58,
-- and they come back as numbers without a parse of their own.
-- IDs and keys are compared byte by byte (collate "C"), so that an order here is the order in the program.

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
  unique_key text collate "C",
  other_key text collate "C",
  sort_at bigint,
  stuck_at bigint,
  next_due bigint,
  created_at bigint not null,
  changed_at bigint not null,
  snapshot text not null,
  init text not null,
  primary key (id, kind)
) partition by list (kind);

-- Every index costs each step that changes any indexed column, so there are only those that a read needs; the partial ones
-- cost nothing where the column is not set. None on changed_at: it would make every step cold.
create index actor_by_status on actor (status, id);
create index actor_by_live on actor (id) where not terminal;
create index actor_by_worktree on actor (worktree_id, sort_at, id) where worktree_id is not null;
create index actor_by_agent on actor (agent_id, id) where agent_id is not null;
create index actor_by_scope on actor (scope_id, id) where scope_id is not null;
create index actor_by_next_due on actor (next_due) where next_due is not null;
create index actor_by_incidents on actor (id) where incidents > 0;

-- One partition for each kind, and one for kinds that have none of their own yet. Uniqueness is within the kind.
-- unique_key and other_key are one name space: the commit statement looks for a new key in both columns before it writes.
-- What remains is the race of two transactions that take one key at once, one as unique_key and the other as other_key;
-- only an agent's next credential is an other_key, a SHA-256 of 32 random bytes, so it can't be met by chance, and a
-- table of keys that closed the race would cost every creation another row.
do $$
declare
  name text;
begin
  foreach name in array array['user', 'authSession', 'apiKey', 'registration', 'enrollment', 'agent', 'job', 'codebase',
    'worktree', 'worktreeQueue', 'run', 'plan', 'session', 'workflow']
  loop
    execute format('create table %I partition of actor for values in (%L)', 'actor_' || lower(name), name);
    execute format('create unique index %I on %I (unique_key) where unique_key is not null',
      'actor_' || lower(name) || '_unique_key', 'actor_' || lower(name));
    execute format('create unique index %I on %I (other_key) where other_key is not null',
      'actor_' || lower(name) || '_other_key', 'actor_' || lower(name));
  end loop;
end
$$;
create table actor_default partition of actor default;
create unique index actor_default_unique_key on actor_default (kind, unique_key) where unique_key is not null;
create unique index actor_default_other_key on actor_default (kind, other_key) where other_key is not null;

-- An actor's collection. A value is JSON.
create table member (
  actor text collate "C" not null,
  key text collate "C" not null,
  value text not null,
  primary key (actor, key)
);

-- One row for each step. Partitions by month are made ahead (storage/retention/retention.ts) and go whole; the default one catches
-- what no month was made for.
create table journal (
  at bigint not null,
  actor text collate "C" not null,
  seq integer not null,
  kind text collate "C" not null,
  owner text collate "C" not null,
  event text not null,
  status text collate "C" not null,
  detail text not null
) partition by range (at);
create index journal_actor on journal (actor, seq);
create table journal_default partition of journal default;

-- Effects that were decided and are not confirmed: (actor, seq, n) is the effect's ID. Rows are born claimed.
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
  primary key (actor, seq, n)
);
create index outbox_claimable on outbox (claimed_until) where failed_at is null;

-- What a client's key has made, kept for 24 hours.
create table idempotency (
  key text collate "C" primary key,
  input_hash text collate "C" not null,
  actor text collate "C" not null,
  at bigint not null
);
create index idempotency_at on idempotency (at);
