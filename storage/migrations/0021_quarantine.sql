-- Actors that a process could not go on with: what is stored does not fit the machine, or a timer's transition fails. An entry
-- holds while its actor stands at `seq`; the next step of the actor ends it, whoever makes it.
create table quarantine (
  actor text collate "C" primary key,
  kind text collate "C" not null,
  seq integer not null,
  problem text not null,
  -- Milliseconds since 1970, both.
  since bigint not null,
  retry_at bigint not null,
  attempts integer not null
);
