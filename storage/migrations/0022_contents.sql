-- What belongs to an actor and is too large for its snapshot, kept as long as the actor: the threads of crash reports.
create table content (
  owner text collate "C" not null,
  number integer not null,
  at bigint not null,
  data bytea not null,
  primary key (owner, number)
);
-- For pieces whose owner was never created.
create index content_at on content (at) where number = 0;
