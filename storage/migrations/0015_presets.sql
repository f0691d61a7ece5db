-- MCP tool presets: the only actor `mcpToolPreset` has them as its members, and an import that was carried out is an actor.
create table actor_mcptoolpreset partition of actor for values in ('mcpToolPreset');
create unique index actor_mcptoolpreset_unique_key on actor_mcptoolpreset (unique_key) where unique_key is not null;
create unique index actor_mcptoolpreset_other_key on actor_mcptoolpreset (other_key) where other_key is not null;

create table actor_presetimport partition of actor for values in ('presetImport');
create unique index actor_presetimport_unique_key on actor_presetimport (unique_key) where unique_key is not null;
create unique index actor_presetimport_other_key on actor_presetimport (other_key) where other_key is not null;
