-- The transaction that committed a step, so that the steps of a kind can be read in an order in which nothing comes later in
-- between: `at` and a sequence are given before the commit, and another commit may overtake it. Steps from before this
-- column have 0 and can't be followed by kind. A constant default rewrites no row.
alter table journal add column tx bigint not null default 0;
-- It grows at its end only, and the steps of one transaction are one entry.
create index journal_tx on journal (tx);

-- One row. `shift` is added to PostgreSQL's transaction IDs, which begin low again where a dump is restored into another
-- server; `gone` is the greatest `tx` that went with an old month, and at first that of the steps that have none.
create table journal_position (
  one boolean not null default true primary key check (one),
  shift bigint not null default 0,
  gone bigint not null default 0
);
insert into journal_position default values;
