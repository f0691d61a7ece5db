-- The tools of runs. Nothing of them is looked up but by their ID.
create table actor_toolgrant partition of actor for values in ('toolGrant');
