-- A codebase is found by its path, whoever's machine it is on: the path is its scope, which has an index. With each step the
-- machine writes it; this is for those that were written before.
update actor set scope_id = init::json ->> 'path' where kind = 'codebase' and not terminal and scope_id is null;
