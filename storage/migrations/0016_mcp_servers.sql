-- External MCP servers: some dozens, found by their IDs.
create table actor_mcpserver partition of actor for values in ('mcpServer');
