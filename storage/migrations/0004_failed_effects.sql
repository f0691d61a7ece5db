-- Whose effects have failed for good: such an actor is stuck, over or not.
create index outbox_failed on outbox (actor) where failed_at is not null;
