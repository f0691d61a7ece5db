-- Groups of crash reports, in the order of their creation and in that of their numbers of reports.
create index actor_crashgroup_created on actor_crashgroup (sort_at, id);
create index actor_crashgroup_number on actor_crashgroup (number, id);
