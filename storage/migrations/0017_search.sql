-- What actors are found by. The program takes texts apart into words and folds them (storage/search/words.ts), so that what is found
-- depends neither on the database's locale nor on how its parser sees paths and identifiers. An actor that is not to be found any
-- more keeps a row without a title: whoever was about to fill in what was missing then finds that there is something.
create extension if not exists pg_trgm;

create table search_document (
  actor text collate "C" primary key,
  kind text collate "C" not null,
  -- Of what its kind is found by, when this was written.
  version integer not null,
  title text,
  body text,
  -- The title, folded.
  title_key text collate "C",
  -- With the kind as a word of its own, so that a rare kind is found among many others by the index alone.
  words tsvector,
  -- IDs of all kinds in the order of their making.
  made text collate "C" generated always as (split_part(actor, '_', 2)) stored
);
-- New entries are put aside and sorted in together, which is a fraction of the work; of the usual 4 MB at once a commit would take 0.1 s,
-- and each search reads what is aside.
create index search_document_words on search_document using gin (words) with (gin_pending_list_limit = 1024);
create index search_document_similar on search_document using gin (title_key gin_trgm_ops) with (gin_pending_list_limit = 1024);
create index search_document_title on search_document (kind, title_key, made desc) where title_key is not null;
create index search_document_made on search_document (made) where title_key is not null;

-- The kinds of which every actor that was there before has its document, of this version.
create table search_filled (
  kind text collate "C" primary key,
  version integer not null
);
