-- Written by `node storage/database/dumpSchema.ts` from the catalog of a migrated database; a test compares it.

create extension pg_trgm;

create table actor (
  id text collate "C" not null,
  kind text collate "C" not null,
  seq integer not null,
  owner text collate "C" not null,
  machine_version integer not null,
  machine_hash text collate "C" not null,
  status text collate "C" not null,
  phase text collate "C",
  terminal boolean not null,
  unwatched boolean not null,
  incidents integer not null,
  number integer,
  agent_id text collate "C",
  worktree_id text collate "C",
  scope_id text collate "C",
  unique_key text collate "C",
  other_key text collate "C",
  sort_at bigint,
  stuck_at bigint,
  next_due bigint,
  created_at bigint not null,
  changed_at bigint not null,
  snapshot text not null,
  init text not null,
  ended_as text collate "C" generated always as (
CASE
    WHEN terminal THEN status
    ELSE NULL::text
END) stored,
  ended_at bigint generated always as (
CASE
    WHEN terminal THEN changed_at
    ELSE NULL::bigint
END) stored,
  actor_pkey PRIMARY KEY (id, kind)
) partition by list (kind);
CREATE INDEX actor_by_agent ON ONLY public.actor USING btree (agent_id, id) WHERE (agent_id IS NOT NULL);
CREATE INDEX actor_by_ended ON ONLY public.actor USING btree (ended_as, id) WHERE (ended_as IS NOT NULL);
CREATE INDEX actor_by_incidents ON ONLY public.actor USING btree (id) WHERE (incidents > 0);
CREATE INDEX actor_by_live ON ONLY public.actor USING btree (id) WHERE (NOT terminal);
CREATE INDEX actor_by_next_due ON ONLY public.actor USING btree (next_due) WHERE (next_due IS NOT NULL);
CREATE INDEX actor_by_scope ON ONLY public.actor USING btree (scope_id, id) WHERE (scope_id IS NOT NULL);
CREATE INDEX actor_by_worktree ON ONLY public.actor USING btree (worktree_id, sort_at, id) WHERE (worktree_id IS NOT NULL);

create table actor_agent partition of actor FOR VALUES IN ('agent') (
  actor_agent_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_agent_other_key ON public.actor_agent USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_agent_unique_key ON public.actor_agent USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_apikey partition of actor FOR VALUES IN ('apiKey') (
  actor_apikey_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_apikey_other_key ON public.actor_apikey USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_apikey_unique_key ON public.actor_apikey USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_apnsdevice partition of actor FOR VALUES IN ('apnsDevice') (
  actor_apnsdevice_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_apnsdevice_other_key ON public.actor_apnsdevice USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_apnsdevice_unique_key ON public.actor_apnsdevice USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_app partition of actor FOR VALUES IN ('app') (
  actor_app_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_app_other_key ON public.actor_app USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_app_unique_key ON public.actor_app USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_artifacttransfer partition of actor FOR VALUES IN ('artifactTransfer') (
  actor_artifacttransfer_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_artifacttransfer_other_key ON public.actor_artifacttransfer USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_artifacttransfer_unique_key ON public.actor_artifacttransfer USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_authcode partition of actor FOR VALUES IN ('authCode') (
  actor_authcode_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_authcode_other_key ON public.actor_authcode USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_authcode_unique_key ON public.actor_authcode USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_authsession partition of actor FOR VALUES IN ('authSession') (
  actor_authsession_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_authsession_other_key ON public.actor_authsession USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_authsession_unique_key ON public.actor_authsession USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_binaryimage partition of actor FOR VALUES IN ('binaryImage') (
  actor_binaryimage_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_binaryimage_other_key ON public.actor_binaryimage USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_binaryimage_unique_key ON public.actor_binaryimage USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_build partition of actor FOR VALUES IN ('build') (
  actor_build_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_build_other_key ON public.actor_build USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_build_unique_key ON public.actor_build USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_buildartifact partition of actor FOR VALUES IN ('buildArtifact') (
  actor_buildartifact_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_buildartifact_other_key ON public.actor_buildartifact USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_buildartifact_unique_key ON public.actor_buildartifact USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_buildconfiguration partition of actor FOR VALUES IN ('buildConfiguration') (
  actor_buildconfiguration_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_buildconfiguration_other_key ON public.actor_buildconfiguration USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_buildconfiguration_unique_key ON public.actor_buildconfiguration USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_bulkrunaction partition of actor FOR VALUES IN ('bulkRunAction') (
  actor_bulkrunaction_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_bulkrunaction_other_key ON public.actor_bulkrunaction USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_bulkrunaction_unique_key ON public.actor_bulkrunaction USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_codebase partition of actor FOR VALUES IN ('codebase') (
  actor_codebase_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_codebase_other_key ON public.actor_codebase USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE INDEX actor_codebase_path ON public.actor_codebase USING btree ((((init)::json ->> 'path'::text)), id);
CREATE UNIQUE INDEX actor_codebase_unique_key ON public.actor_codebase USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_command partition of actor FOR VALUES IN ('command') (
  actor_command_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_command_other_key ON public.actor_command USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_command_unique_key ON public.actor_command USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_crashgroup partition of actor FOR VALUES IN ('crashGroup') (
  actor_crashgroup_pkey PRIMARY KEY (id, kind)
);
CREATE INDEX actor_crashgroup_created ON public.actor_crashgroup USING btree (sort_at, id);
CREATE INDEX actor_crashgroup_number ON public.actor_crashgroup USING btree (number, id);
CREATE UNIQUE INDEX actor_crashgroup_other_key ON public.actor_crashgroup USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE INDEX actor_crashgroup_stuck_at ON public.actor_crashgroup USING btree (stuck_at) WHERE (stuck_at IS NOT NULL);
CREATE UNIQUE INDEX actor_crashgroup_unique_key ON public.actor_crashgroup USING btree (unique_key) WHERE (unique_key IS NOT NULL);
CREATE INDEX actor_crashgroup_unwatched ON public.actor_crashgroup USING btree (id) WHERE unwatched;
CREATE INDEX actor_crashgroup_waiting ON public.actor_crashgroup USING btree (sort_at, id) WHERE (status = ANY (ARRAY['NEW'::text, 'SPIKING'::text, 'REGRESSED'::text]));

create table actor_crashreport partition of actor FOR VALUES IN ('crashReport') (
  actor_crashreport_pkey PRIMARY KEY (id, kind)
);
CREATE INDEX actor_crashreport_happened ON public.actor_crashreport USING btree (sort_at, id);
CREATE UNIQUE INDEX actor_crashreport_other_key ON public.actor_crashreport USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE INDEX actor_crashreport_stuck_at ON public.actor_crashreport USING btree (stuck_at) WHERE (stuck_at IS NOT NULL);
CREATE UNIQUE INDEX actor_crashreport_unique_key ON public.actor_crashreport USING btree (unique_key) WHERE (unique_key IS NOT NULL);
CREATE INDEX actor_crashreport_unwatched ON public.actor_crashreport USING btree (id) WHERE unwatched;

create table actor_default partition of actor DEFAULT (
  actor_default_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_default_other_key ON public.actor_default USING btree (kind, other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_default_unique_key ON public.actor_default USING btree (kind, unique_key) WHERE (unique_key IS NOT NULL);

create table actor_deployment partition of actor FOR VALUES IN ('deployment') (
  actor_deployment_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_deployment_other_key ON public.actor_deployment USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_deployment_unique_key ON public.actor_deployment USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_device partition of actor FOR VALUES IN ('device') (
  actor_device_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_device_other_key ON public.actor_device USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_device_unique_key ON public.actor_device USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_deviceenrollment partition of actor FOR VALUES IN ('deviceEnrollment') (
  actor_deviceenrollment_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_deviceenrollment_other_key ON public.actor_deviceenrollment USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_deviceenrollment_unique_key ON public.actor_deviceenrollment USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_diffimage partition of actor FOR VALUES IN ('diffImage') (
  actor_diffimage_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_diffimage_other_key ON public.actor_diffimage USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_diffimage_unique_key ON public.actor_diffimage USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_dsym partition of actor FOR VALUES IN ('dsym') (
  actor_dsym_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_dsym_other_key ON public.actor_dsym USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_dsym_unique_key ON public.actor_dsym USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_dsymupload partition of actor FOR VALUES IN ('dsymUpload') (
  actor_dsymupload_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_dsymupload_other_key ON public.actor_dsymupload USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_dsymupload_unique_key ON public.actor_dsymupload USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_enrollment partition of actor FOR VALUES IN ('enrollment') (
  actor_enrollment_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_enrollment_other_key ON public.actor_enrollment USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_enrollment_unique_key ON public.actor_enrollment USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_integration partition of actor FOR VALUES IN ('integration') (
  actor_integration_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_integration_other_key ON public.actor_integration USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_integration_unique_key ON public.actor_integration USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_job partition of actor FOR VALUES IN ('job') (
  actor_job_pkey PRIMARY KEY (id, kind)
);
CREATE INDEX actor_job_living_by_agent ON public.actor_job USING btree (agent_id, id) WHERE (NOT terminal);
CREATE UNIQUE INDEX actor_job_other_key ON public.actor_job USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_job_unique_key ON public.actor_job USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_mcpserver partition of actor FOR VALUES IN ('mcpServer') (
  actor_mcpserver_pkey PRIMARY KEY (id, kind)
);

create table actor_mcptoolpreset partition of actor FOR VALUES IN ('mcpToolPreset') (
  actor_mcptoolpreset_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_mcptoolpreset_other_key ON public.actor_mcptoolpreset USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_mcptoolpreset_unique_key ON public.actor_mcptoolpreset USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_news partition of actor FOR VALUES IN ('news') (
  actor_news_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_news_other_key ON public.actor_news USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_news_unique_key ON public.actor_news USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_notification partition of actor FOR VALUES IN ('notification') (
  actor_notification_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_notification_other_key ON public.actor_notification USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_notification_unique_key ON public.actor_notification USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_notificationdevice partition of actor FOR VALUES IN ('notificationDevice') (
  actor_notificationdevice_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_notificationdevice_other_key ON public.actor_notificationdevice USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_notificationdevice_unique_key ON public.actor_notificationdevice USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_plan partition of actor FOR VALUES IN ('plan') (
  actor_plan_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_plan_other_key ON public.actor_plan USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_plan_unique_key ON public.actor_plan USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_presetimport partition of actor FOR VALUES IN ('presetImport') (
  actor_presetimport_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_presetimport_other_key ON public.actor_presetimport USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_presetimport_unique_key ON public.actor_presetimport USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_pushbuild partition of actor FOR VALUES IN ('pushBuild') (
  actor_pushbuild_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_pushbuild_other_key ON public.actor_pushbuild USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_pushbuild_unique_key ON public.actor_pushbuild USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_readmarks partition of actor FOR VALUES IN ('readMarks') (
  actor_readmarks_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_readmarks_other_key ON public.actor_readmarks USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_readmarks_unique_key ON public.actor_readmarks USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_registration partition of actor FOR VALUES IN ('registration') (
  actor_registration_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_registration_other_key ON public.actor_registration USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_registration_unique_key ON public.actor_registration USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_repository partition of actor FOR VALUES IN ('repository') (
  actor_repository_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_repository_other_key ON public.actor_repository USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_repository_unique_key ON public.actor_repository USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_run partition of actor FOR VALUES IN ('run') (
  actor_run_pkey PRIMARY KEY (id, kind)
);
CREATE INDEX actor_run_ended_at ON public.actor_run USING btree (ended_at, id) WHERE (ended_at IS NOT NULL);
CREATE UNIQUE INDEX actor_run_other_key ON public.actor_run USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE INDEX actor_run_parent ON public.actor_run USING btree ((((init)::json ->> 'parentRunId'::text)), id) WHERE (((init)::json ->> 'parentRunId'::text) IS NOT NULL);
CREATE UNIQUE INDEX actor_run_unique_key ON public.actor_run USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_runattachment partition of actor FOR VALUES IN ('runAttachment') (
  actor_runattachment_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_runattachment_other_key ON public.actor_runattachment USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_runattachment_unique_key ON public.actor_runattachment USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_savedview partition of actor FOR VALUES IN ('savedView') (
  actor_savedview_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_savedview_other_key ON public.actor_savedview USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_savedview_unique_key ON public.actor_savedview USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_schedule partition of actor FOR VALUES IN ('schedule') (
  actor_schedule_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_schedule_other_key ON public.actor_schedule USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_schedule_unique_key ON public.actor_schedule USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_seenmarks partition of actor FOR VALUES IN ('seenMarks') (
  actor_seenmarks_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_seenmarks_other_key ON public.actor_seenmarks USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_seenmarks_unique_key ON public.actor_seenmarks USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_serverurlsettings partition of actor FOR VALUES IN ('serverUrlSettings') (
  actor_serverurlsettings_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_serverurlsettings_other_key ON public.actor_serverurlsettings USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_serverurlsettings_unique_key ON public.actor_serverurlsettings USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_session partition of actor FOR VALUES IN ('session') (
  actor_session_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_session_other_key ON public.actor_session USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_session_unique_key ON public.actor_session USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_signingasset partition of actor FOR VALUES IN ('signingAsset') (
  actor_signingasset_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_signingasset_other_key ON public.actor_signingasset USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_signingasset_unique_key ON public.actor_signingasset USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_skill partition of actor FOR VALUES IN ('skill') (
  actor_skill_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_skill_other_key ON public.actor_skill USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_skill_unique_key ON public.actor_skill USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_skillcontent partition of actor FOR VALUES IN ('skillContent') (
  actor_skillcontent_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_skillcontent_other_key ON public.actor_skillcontent USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_skillcontent_unique_key ON public.actor_skillcontent USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_telemetryquery partition of actor FOR VALUES IN ('telemetryQuery') (
  actor_telemetryquery_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_telemetryquery_other_key ON public.actor_telemetryquery USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_telemetryquery_unique_key ON public.actor_telemetryquery USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_telemetrysettings partition of actor FOR VALUES IN ('telemetrySettings') (
  actor_telemetrysettings_pkey PRIMARY KEY (id, kind)
);

create table actor_toolgrant partition of actor FOR VALUES IN ('toolGrant') (
  actor_toolgrant_pkey PRIMARY KEY (id, kind)
);

create table actor_upload partition of actor FOR VALUES IN ('upload') (
  actor_upload_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_upload_other_key ON public.actor_upload USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_upload_unique_key ON public.actor_upload USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_user partition of actor FOR VALUES IN ('user') (
  actor_user_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_user_other_key ON public.actor_user USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_user_unique_key ON public.actor_user USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_webhookdelivery partition of actor FOR VALUES IN ('webhookDelivery') (
  actor_webhookdelivery_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_webhookdelivery_other_key ON public.actor_webhookdelivery USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_webhookdelivery_unique_key ON public.actor_webhookdelivery USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_workflow partition of actor FOR VALUES IN ('workflow') (
  actor_workflow_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_workflow_other_key ON public.actor_workflow USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_workflow_unique_key ON public.actor_workflow USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_workflowexecution partition of actor FOR VALUES IN ('workflowExecution') (
  actor_workflowexecution_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_workflowexecution_other_key ON public.actor_workflowexecution USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_workflowexecution_unique_key ON public.actor_workflowexecution USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_workflowstep partition of actor FOR VALUES IN ('workflowStep') (
  actor_workflowstep_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_workflowstep_other_key ON public.actor_workflowstep USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_workflowstep_unique_key ON public.actor_workflowstep USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_worktree partition of actor FOR VALUES IN ('worktree') (
  actor_worktree_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_worktree_other_key ON public.actor_worktree USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_worktree_unique_key ON public.actor_worktree USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table actor_worktreequeue partition of actor FOR VALUES IN ('worktreeQueue') (
  actor_worktreequeue_pkey PRIMARY KEY (id, kind)
);
CREATE UNIQUE INDEX actor_worktreequeue_other_key ON public.actor_worktreequeue USING btree (other_key) WHERE (other_key IS NOT NULL);
CREATE UNIQUE INDEX actor_worktreequeue_unique_key ON public.actor_worktreequeue USING btree (unique_key) WHERE (unique_key IS NOT NULL);

create table agent_sum (
  at bigint not null,
  agent_id text collate "C" not null,
  ended integer not null,
  busy_ms bigint not null,
  agent_sum_pkey PRIMARY KEY (at, agent_id)
);

create table blob_part (
  name text collate "C" not null,
  start bigint not null,
  size bigint not null,
  object text collate "C",
  changed_at bigint not null,
  blob_part_pkey PRIMARY KEY (name, start)
);
CREATE INDEX blob_part_object ON public.blob_part USING btree (object) WHERE (object IS NOT NULL);

create table blob_writer (
  name text collate "C" not null,
  writer bigint not null,
  blob_writer_pkey PRIMARY KEY (name)
);

create table content (
  owner text collate "C" not null,
  number integer not null,
  at bigint not null,
  data bytea not null,
  content_pkey PRIMARY KEY (owner, number)
);
CREATE INDEX content_at ON public.content USING btree (at) WHERE (number = 0);

create table counter (
  series text collate "C" not null,
  last bigint not null,
  counter_pkey PRIMARY KEY (series)
) with (fillfactor=50);

create table definition (
  kind text collate "C" not null,
  hash text collate "C" not null,
  version integer not null,
  definition text not null,
  first_seen bigint not null,
  definition_pkey PRIMARY KEY (kind, hash)
);

create table idempotency (
  key text collate "C" not null,
  input_hash text collate "C" not null,
  actor text collate "C" not null,
  at bigint not null,
  idempotency_pkey PRIMARY KEY (key)
);
CREATE INDEX idempotency_at ON public.idempotency USING btree (at);

create table journal (
  at bigint not null,
  actor text collate "C" not null,
  seq integer not null,
  kind text collate "C" not null,
  owner text collate "C" not null,
  event text not null,
  status text collate "C" not null,
  detail text not null,
  tx bigint not null,
  members text[] collate "C"
) partition by range (at);
CREATE INDEX journal_actor ON ONLY public.journal USING btree (actor, seq);
CREATE INDEX journal_tx ON ONLY public.journal USING btree (tx);

create table journal_default partition of journal DEFAULT (

);

create table journal_position (
  one boolean not null default true,
  shift bigint not null default 0,
  gone bigint not null default 0,
  release text collate "C",
  timeline bigint,
  telemetry_gone bigint not null default 0,
  journal_position_one_check CHECK (one),
  journal_position_pkey PRIMARY KEY (one)
);

create table machine_load (
  agent_id text collate "C" not null,
  at bigint not null,
  load double precision not null,
  free_memory bigint not null,
  machine_load_pkey PRIMARY KEY (agent_id, at)
);
CREATE INDEX machine_load_at ON public.machine_load USING brin (at);

create table machine_load_hour (
  agent_id text collate "C" not null,
  at bigint not null,
  minutes smallint not null,
  load double precision not null,
  load_max double precision not null,
  free_memory bigint not null,
  free_memory_min bigint not null,
  machine_load_hour_pkey PRIMARY KEY (agent_id, at)
);
CREATE INDEX machine_load_hour_at ON public.machine_load_hour USING brin (at);

create table member (
  actor text collate "C" not null,
  key text collate "C" not null,
  value text not null,
  member_pkey PRIMARY KEY (actor, key)
);

create table migration (
  name text collate "C" not null,
  hash text collate "C" not null,
  applied_at timestamp with time zone not null default now(),
  migration_pkey PRIMARY KEY (name)
);

create table outbox (
  actor text collate "C" not null,
  seq integer not null,
  n integer not null,
  type text collate "C" not null,
  params text not null,
  attempts integer not null default 0,
  due bigint not null,
  claimed_by text collate "C",
  claimed_until bigint not null,
  problem text,
  failed_at bigint,
  told boolean not null default false,
  failures integer not null default 0,
  outbox_pkey PRIMARY KEY (actor, seq, n)
);
CREATE INDEX outbox_claimable ON public.outbox USING btree (claimed_until) WHERE (failed_at IS NULL);
CREATE INDEX outbox_failed ON public.outbox USING btree (actor) WHERE (failed_at IS NOT NULL);
CREATE INDEX outbox_untold ON public.outbox USING btree (failed_at) WHERE ((failed_at IS NOT NULL) AND (NOT told));

create table presence (
  agent_id text collate "C" not null,
  at bigint not null,
  load double precision,
  free_memory bigint,
  presence_pkey PRIMARY KEY (agent_id)
) with (fillfactor=50);

create table process (
  owner text collate "C" not null,
  seen_at bigint not null,
  process_pkey PRIMARY KEY (owner)
) with (fillfactor=50);

create table quarantine (
  actor text collate "C" not null,
  kind text collate "C" not null,
  seq integer not null,
  problem text not null,
  since bigint not null,
  retry_at bigint not null,
  attempts integer not null,
  quarantine_pkey PRIMARY KEY (actor)
);

create table run_measurement (
  run_id text collate "C" not null,
  agent_id text collate "C" not null,
  repository text collate "C",
  kind text collate "C" not null,
  queued_at bigint,
  admitted_at bigint,
  started_at bigint,
  ended_at bigint,
  status text collate "C",
  input_tokens double precision,
  output_tokens double precision,
  cached_input_tokens double precision,
  cost double precision,
  currency text collate "C",
  wait_place smallint,
  duration_place smallint,
  summed boolean not null default false,
  run_measurement_pkey PRIMARY KEY (run_id)
);
CREATE INDEX run_measurement_agent ON public.run_measurement USING btree (agent_id, ended_at);
CREATE INDEX run_measurement_ended ON public.run_measurement USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX run_measurement_executed ON public.run_measurement USING gist (int8range(started_at, ended_at, '[]'::text)) WHERE (started_at IS NOT NULL);
CREATE INDEX run_measurement_unsummed ON public.run_measurement USING btree (ended_at) WHERE (NOT summed);

create table run_sum (
  agent_id text collate "C" not null,
  repository text collate "C" not null,
  kind text collate "C" not null,
  length integer not null,
  at bigint not null,
  started integer not null,
  succeeded integer not null,
  failed integer not null,
  canceled integer not null,
  timed_out integer not null,
  lost integer not null,
  skipped integer not null,
  busy_ms bigint not null,
  usage_runs integer not null,
  input_tokens double precision not null,
  output_tokens double precision not null,
  cached_input_tokens double precision not null,
  waits bytea not null,
  durations bytea not null,
  run_sum_pkey PRIMARY KEY (agent_id, repository, kind, length, at)
);

create table run_sum_cost (
  agent_id text collate "C" not null,
  repository text collate "C" not null,
  kind text collate "C" not null,
  length integer not null,
  at bigint not null,
  currency text collate "C" not null,
  amount double precision not null,
  run_sum_cost_pkey PRIMARY KEY (agent_id, repository, kind, length, at, currency)
);

create table search_document (
  actor text collate "C" not null,
  kind text collate "C" not null,
  version integer not null,
  title text,
  body text,
  title_key text collate "C",
  words tsvector,
  made text collate "C" generated always as (split_part(actor, '_'::text, 2)) stored,
  list_words tsvector,
  search_document_pkey PRIMARY KEY (actor)
);
CREATE INDEX search_document_list ON public.search_document USING gin (list_words) WITH (gin_pending_list_limit='1024');
CREATE INDEX search_document_made ON public.search_document USING btree (made) WHERE (title_key IS NOT NULL);
CREATE INDEX search_document_similar ON public.search_document USING gin (title_key gin_trgm_ops) WITH (gin_pending_list_limit='1024');
CREATE INDEX search_document_title ON public.search_document USING btree (kind, title_key, made DESC) WHERE (title_key IS NOT NULL);
CREATE INDEX search_document_words ON public.search_document USING gin (words) WITH (gin_pending_list_limit='1024');

create table search_filled (
  kind text collate "C" not null,
  version integer not null,
  search_filled_pkey PRIMARY KEY (kind)
);

create table stream (
  name text collate "C" not null,
  first bigint not null default 0,
  next bigint not null,
  ended boolean not null default false,
  stream_pkey PRIMARY KEY (name)
);

create table stream_entry (
  at bigint not null,
  stream text collate "C" not null,
  sequence bigint not null,
  kind text collate "C" not null,
  data bytea not null
) partition by range (at);
CREATE INDEX stream_entry_sequence ON ONLY public.stream_entry USING btree (stream, sequence);

create table stream_entry_default partition of stream_entry DEFAULT (

);

create table telemetry_key (
  key uuid not null,
  at bigint not null,
  telemetry_key_pkey PRIMARY KEY (key)
);
CREATE INDEX telemetry_key_at ON public.telemetry_key USING brin (at);

create table telemetry_record (
  at bigint not null,
  number bigint not null default nextval('telemetry_record_number'::regclass),
  kind text collate "C" not null,
  happened bigint not null,
  severity smallint,
  severity_text text,
  event_name text,
  body text,
  body_json boolean not null,
  attributes text not null,
  resource text not null,
  session_id text collate "C",
  trace_id text collate "C",
  span_id text collate "C",
  record_id text,
  tx bigint not null
) partition by range (at);
CREATE INDEX telemetry_record_order ON ONLY public.telemetry_record USING btree (kind, at, number);
CREATE INDEX telemetry_record_session ON ONLY public.telemetry_record USING btree (session_id, at) WHERE (session_id IS NOT NULL);
CREATE INDEX telemetry_record_stream ON ONLY public.telemetry_record USING btree (kind, tx, number) WHERE (tx > 0);
CREATE INDEX telemetry_record_trace ON ONLY public.telemetry_record USING btree (trace_id, at) WHERE (trace_id IS NOT NULL);

create table telemetry_record_default partition of telemetry_record DEFAULT (

);

create table tool_call (
  at bigint not null,
  number bigint not null default nextval('tool_call_number'::regclass),
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
CREATE INDEX tool_call_caller ON ONLY public.tool_call USING btree (caller, at, number);
CREATE INDEX tool_call_failed ON ONLY public.tool_call USING btree (at, number) WHERE (outcome <> 'SUCCESS'::text);
CREATE INDEX tool_call_order ON ONLY public.tool_call USING btree (at, number);
CREATE INDEX tool_call_request ON ONLY public.tool_call USING btree (request_id);
CREATE INDEX tool_call_scope ON ONLY public.tool_call USING btree (scope_id, at, number) WHERE (scope_id IS NOT NULL);
CREATE INDEX tool_call_server ON ONLY public.tool_call USING btree (server_id, at, number) WHERE (server_id IS NOT NULL);
CREATE INDEX tool_call_tool ON ONLY public.tool_call USING btree (tool, at, number);

create table tool_call_default partition of tool_call DEFAULT (

);

create table write_probe (
  one boolean not null default true,
  at timestamp with time zone not null default now(),
  write_probe_one_check CHECK (one),
  write_probe_pkey PRIMARY KEY (one)
);
