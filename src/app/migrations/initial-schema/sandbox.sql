CREATE TABLE sandbox_clocks (
  workspace_id bigint NOT NULL,
  id bigint NOT NULL,
  ahead_ms bigint DEFAULT 0 NOT NULL,
  target timestamptz(3),
  leased_by uuid,
  lease_until timestamptz(3),
  touched_at timestamptz(3) DEFAULT now() NOT NULL,
  CONSTRAINT sandbox_clock_ahead CHECK (ahead_ms >= 0),
  CONSTRAINT sandbox_clock_once CHECK (id = workspace_id),
  CONSTRAINT sandbox_clocks_pk PRIMARY KEY (workspace_id, id)
);
