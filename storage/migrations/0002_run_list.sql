-- Lists of runs: words and exact values to filter by, and the order by end.

-- The words by which the list of a kind finds its actors, and the exact values that it filters by: `=by:usr_…`. One index has both,
-- so that any combination of filters is one look-up. It is null for kinds whose lists have no such filter.
alter table search_document add column list_words tsvector;

-- The exact values of the runs that exist. The program adds their words at its next start, as it does after each change of documents.
insert into search_document (actor, kind, version, list_words)
select a.id, 'run', 0, array_to_tsvector(array_remove(array[
  '=by:' || (a.init::json ->> 'requestedBy'),
  '=codebase:' || (a.init::json ->> 'codebaseId'),
  '=cli:' || (a.init::json #>> '{spec,cli}')
], null))
from actor_run a
on conflict (actor) do update set list_words = excluded.list_words;

create index search_document_list on search_document using gin (list_words) with (gin_pending_list_limit = 1024);

-- The time at which an actor became terminal. A terminal actor does not change any more. It is a column of its own, because an index of
-- `changed_at` would have a new entry with each transition.
alter table actor add column ended_at bigint generated always as (case when terminal then changed_at end) stored;
create index actor_run_ended_at on actor_run (ended_at, id) where ended_at is not null;
