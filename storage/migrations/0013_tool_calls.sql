-- The audit of tool calls, by month as the streams: `at` is when a call began; together with `number` it is the order in which
-- lists have them. Every tool call waits for its row, so there is an index only for what narrows a search down. Of the outcomes
-- that is what did not succeed: successes are nearly all, and the order finds them.
create sequence tool_call_number as bigint cache 1;
create table tool_call (
  at bigint not null,
  number bigint not null default nextval('tool_call_number'),
  duration_ms double precision not null,
  caller text collate "C" not null,
  source text collate "C" not null,
  scope_id text collate "C",
  tool text collate "C",
  server_id text collate "C",
  raw_name text collate "C",
  arguments_sha256 text collate "C" not null,
  request_id text collate "C" not null,
  outcome text collate "C" not null,
  code text collate "C"
) partition by range (at);
create index tool_call_order on tool_call (at, number);
create index tool_call_caller on tool_call (caller, at, number);
create index tool_call_tool on tool_call (tool, at, number);
create index tool_call_request on tool_call (request_id);
create index tool_call_scope on tool_call (scope_id, at, number) where scope_id is not null;
create index tool_call_server on tool_call (server_id, at, number) where server_id is not null;
create index tool_call_failed on tool_call (at, number) where outcome <> 'SUCCESS';
create table tool_call_default partition of tool_call default;
