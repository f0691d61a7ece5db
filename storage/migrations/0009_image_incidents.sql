-- Images refused the report of a failed effect until now, and it counted as reported. It is reported again, so that they show the incident.
update outbox set told = false where failed_at is not null and type = 'symbolicateWaiting';
