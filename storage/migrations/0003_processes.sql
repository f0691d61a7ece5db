-- The processes that live; each says so every second. What one that has fallen silent had claimed in the outbox is free.
create table process (
  owner text collate "C" primary key,
  seen_at bigint not null
) with (fillfactor = 50);

-- Whether the actor of a failed effect knows of it. A crash between the two would otherwise lose the INCIDENT.
alter table outbox add column told boolean not null default false;
create index outbox_untold on outbox (failed_at) where failed_at is not null and not told;
