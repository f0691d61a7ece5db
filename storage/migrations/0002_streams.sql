-- Append-only streams: log chunks, run events. The head says what is kept and what comes next.
create table stream (
  name text collate "C" primary key,
  first bigint not null default 0,
  next bigint not null,
  ended boolean not null default false
);

-- Partitions by month as the journal's. That a sequence stands here once is the head's doing: entries are written only by
-- the statement that moved the head.
create table stream_entry (
  at bigint not null,
  stream text collate "C" not null,
  sequence bigint not null,
  kind text collate "C" not null,
  data bytea not null
) partition by range (at);
create index stream_entry_sequence on stream_entry (stream, sequence);
create table stream_entry_default partition of stream_entry default;

-- The latest heartbeat of each agent; rewritten in place, so half of each page is left free for it.
create table presence (
  agent_id text collate "C" primary key,
  at bigint not null
) with (fillfactor = 50);

-- Every machine definition that ever ran, by its hash.
create table definition (
  kind text collate "C" not null,
  hash text collate "C" not null,
  version integer not null,
  definition text not null,
  first_seen bigint not null,
  primary key (kind, hash)
);

-- Display numbers: the last one given, by series.
create table counter (
  series text collate "C" primary key,
  last bigint not null
) with (fillfactor = 50);
