-- Lists of runs: words and exact values to filter by, and the order by end.

-- The words by which the list of a kind finds its actors, and the exact values that it filters by: `=by:usr_…`. One index has both,
-- so that any combination of filters is one look-up. It is null for kinds whose lists have no such filter. At its next start,
-- before it is ready, the program writes the documents of the runs that exist.
alter table search_document add column list_words tsvector;

create index search_document_list on search_document using gin (list_words) with (gin_pending_list_limit = 1024);

-- The time at which an actor became terminal. A terminal actor does not change any more. It is a column of its own, because an index of
-- `changed_at` would have a new entry with each transition.
alter table actor add column ended_at bigint generated always as (case when terminal then changed_at end) stored;
create index actor_run_ended_at on actor_run (ended_at, id) where ended_at is not null;
