-- The triggers of the schema as a node of Citus runs them. A trigger runs in a shard, where only names of shards are known
-- to belong to its transaction and may be joined with its transition tables: so each function writes to the shards beside its own,
-- and takes numbers of identity columns, for which shards have no default, from their sequences.

-- @returns the next number of a sequence, which every node has in a range of its own. The engine tells ranges by the bits from 48; here
-- it is those from 43, so that the numbers of a thousand nodes are exact in JavaScript.
CREATE OR REPLACE FUNCTION next_on_node(sequence text) RETURNS bigint
    LANGUAGE sql
    AS $$
    SELECT (number.value >> 48 << 43) + (number.value & 281474976710655)
    FROM (SELECT nextval(sequence::regclass) AS value) number
  $$;

-- @returns the shard of `relation` that holds the rows of this workspace; the table itself before it is distributed
CREATE OR REPLACE FUNCTION shard_of(relation text, workspace bigint) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
  BEGIN
    IF NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = relation::regclass) THEN RETURN relation; END IF;
    RETURN format('%I', relation || '_' || get_shard_id_for_distribution_column(relation, workspace));
  END $$;

-- @returns the table that a shard is part of, for example `contacts` of `contacts_102034`
CREATE OR REPLACE FUNCTION table_of(shard text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$ SELECT regexp_replace(shard, '_[0-9]+$', '') $$;

CREATE OR REPLACE FUNCTION count_contact_changes() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
  DECLARE workspace bigint;
  BEGIN
    FOR workspace IN SELECT DISTINCT workspace_id FROM changed LOOP
      EXECUTE format(
        $sql$ INSERT INTO %s (id, workspace_id, counted, owner_id, total)
          VALUES (next_on_node('record_counts_id_seq'), $1, 'contact_changes', 0, 1) $sql$,
        shard_of('record_counts', workspace)) USING workspace;
    END LOOP;
    RETURN NULL;
  END $_$;

CREATE OR REPLACE FUNCTION follow_auto_enroll_sources() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
  DECLARE workspace bigint;
  BEGIN
    FOR workspace IN SELECT DISTINCT workspace_id FROM changed LOOP
      EXECUTE format(
        $sql$ SELECT FROM %s campaign
          WHERE campaign.workspace_id = $1 AND campaign.id IN (SELECT campaign_id FROM changed WHERE workspace_id = $1)
          ORDER BY campaign.id FOR NO KEY UPDATE $sql$,
        shard_of('campaigns', workspace)) USING workspace;
      EXECUTE format(
        $sql$ UPDATE %s campaign SET updated_at = greatest(updated_at, now()), auto_enrolls = EXISTS (
            SELECT FROM %s source WHERE source.workspace_id = campaign.workspace_id AND source.campaign_id = campaign.id)
          WHERE campaign.workspace_id = $1
            AND campaign.id IN (SELECT campaign_id FROM changed WHERE workspace_id = $1) $sql$,
        shard_of('campaigns', workspace), shard_of('auto_enroll_sources', workspace)) USING workspace;
    END LOOP;
    RETURN NULL;
  END $_$;

CREATE OR REPLACE FUNCTION follow_tracking_domain_owner() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
  BEGIN
    EXECUTE format(
      $sql$ INSERT INTO %s (workspace_id, domain, verified_at) VALUES ($1, $2, $3)
        ON CONFLICT (domain) DO UPDATE SET workspace_id = EXCLUDED.workspace_id, verified_at = EXCLUDED.verified_at $sql$,
      shard_of('tracking_domains', NEW.id)) USING NEW.id, NEW.tracking_domain, NEW.tracking_domain_verified_at;
    RETURN NULL;
  END $_$;

-- Values of the rows that `rows` selects, as dynamic SQL
CREATE OR REPLACE FUNCTION write_ordered_values(workspace bigint, contacts text) RETURNS text
    LANGUAGE sql STABLE
    AS $_$
    SELECT format(
      $sql$ INSERT INTO %s (workspace_id, contact_id, custom_field_id, value)
        SELECT contact.workspace_id, contact.id, field.id,
          CASE field.type
            WHEN 'number' THEN (contact.custom_fields ->> field.key)::double precision
            ELSE ordered_date(contact.custom_fields ->> field.key) END
        FROM (%s) contact
        JOIN %s field ON field.workspace_id = contact.workspace_id
          AND field.type IN ('number', 'date') AND contact.custom_fields ? field.key $sql$,
      shard_of('ordered_values', workspace), contacts, shard_of('custom_fields', workspace))
  $_$;

CREATE OR REPLACE FUNCTION insert_ordered_values() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
  DECLARE workspace bigint;
  BEGIN
    SELECT workspace_id INTO workspace FROM changed LIMIT 1;
    IF workspace IS NULL THEN RETURN NULL; END IF;
    EXECUTE write_ordered_values(workspace, 'SELECT * FROM changed');
    RETURN NULL;
  END $_$;

CREATE OR REPLACE FUNCTION update_ordered_values() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
  DECLARE
    workspace bigint;
    rewritten text := 'SELECT changed.* FROM before
      JOIN changed ON changed.workspace_id = before.workspace_id AND changed.id = before.id
      WHERE changed.custom_fields <> before.custom_fields';
  BEGIN
    SELECT changed.workspace_id INTO workspace FROM before
      JOIN changed ON changed.workspace_id = before.workspace_id AND changed.id = before.id
      WHERE changed.custom_fields <> before.custom_fields LIMIT 1;
    IF workspace IS NULL THEN RETURN NULL; END IF;
    EXECUTE format(
      $sql$ DELETE FROM %s own USING (%s) contact
        WHERE own.workspace_id = contact.workspace_id AND own.contact_id = contact.id $sql$,
      shard_of('ordered_values', workspace), rewritten);
    EXECUTE write_ordered_values(workspace, rewritten);
    RETURN NULL;
  END $_$;

CREATE OR REPLACE FUNCTION keep_mailbox_reading() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
  DECLARE
    own text := ' WHERE workspace_id = $1 AND email_account_id = $2';
    readings text := shard_of('mailbox_readings', NEW.workspace_id);
    failed text := shard_of('failed_mails', NEW.workspace_id);
  BEGIN
    IF TG_OP = 'UPDATE' AND (
      NEW.imap_host IS DISTINCT FROM OLD.imap_host
      OR coalesce(NEW.imap_username, NEW.smtp_username) IS DISTINCT FROM coalesce(OLD.imap_username, OLD.smtp_username)
    ) THEN
      EXECUTE 'DELETE FROM ' || readings || own USING NEW.workspace_id, NEW.id;
      EXECUTE 'DELETE FROM ' || shard_of('mailbox_cursors', NEW.workspace_id) || own USING NEW.workspace_id, NEW.id;
      EXECUTE 'DELETE FROM ' || failed || own USING NEW.workspace_id, NEW.id;
    END IF;
    IF NEW.imap_host IS NOT NULL OR NEW.type IN ('google', 'microsoft') THEN
      EXECUTE format(
        $sql$ INSERT INTO %s (workspace_id, email_account_id, read_from)
          VALUES ($1, $2, date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC')
          ON CONFLICT (workspace_id, email_account_id) DO UPDATE SET next_read_at = now(), failures = 0, last_error = NULL $sql$,
        readings) USING NEW.workspace_id, NEW.id;
      EXECUTE 'UPDATE ' || failed || ' SET next_try_at = now()' || own USING NEW.workspace_id, NEW.id;
    END IF;
    RETURN NULL;
  END $_$;

-- For `note_changed_contacts` and `note_changed_members`: `changes` selects IDs of contacts of the workspace `$1`.
CREATE OR REPLACE FUNCTION note_changes(workspace bigint, changes text) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $_$
  DECLARE notes text := shard_of('changed_contacts', workspace); first_id bigint; last_id bigint; enrolls boolean;
  BEGIN
    EXECUTE format(
      $sql$ SELECT EXISTS (SELECT FROM %s WHERE workspace_id = $1 AND status = 'active' AND auto_enrolls) $sql$,
      shard_of('campaigns', workspace)) INTO enrolls USING workspace;
    IF NOT enrolls THEN RETURN NULL; END IF;
    EXECUTE format('SELECT min(id), max(id) FROM %s WHERE workspace_id = $1', notes) INTO first_id, last_id USING workspace;
    RETURN format(
      $sql$ INSERT INTO %s (id, workspace_id, contact_id)
        SELECT next_on_node('changed_contacts_id_seq'), $1, change.contact_id FROM (%s) change $sql$,
      notes,
      CASE WHEN last_id - first_id >= 1000000
        THEN format('SELECT NULL::bigint AS contact_id FROM %s last
               WHERE last.workspace_id = $1 AND last.id = %s AND last.contact_id IS NOT NULL', notes, last_id)
        ELSE changes END);
  END $_$;

CREATE OR REPLACE FUNCTION note_changed_contacts() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
  DECLARE workspace bigint; statement text;
  BEGIN
    FOR workspace IN SELECT DISTINCT workspace_id FROM changed LOOP
      statement := note_changes(workspace,
        $sql$ SELECT id AS contact_id FROM changed WHERE workspace_id = $1 AND status = 'active' $sql$);
      IF statement IS NOT NULL THEN EXECUTE statement USING workspace; END IF;
    END LOOP;
    RETURN NULL;
  END $_$;

CREATE OR REPLACE FUNCTION note_changed_members() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
  DECLARE workspace bigint; statement text;
  BEGIN
    FOR workspace IN SELECT DISTINCT workspace_id FROM changed LOOP
      statement := note_changes(workspace, 'SELECT contact_id FROM changed WHERE workspace_id = $1');
      IF statement IS NOT NULL THEN EXECUTE statement USING workspace; END IF;
    END LOOP;
    RETURN NULL;
  END $_$;

CREATE OR REPLACE FUNCTION release_messages_of_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
  DECLARE workspace bigint; is_awaited boolean;
  BEGIN
    FOR workspace IN SELECT DISTINCT workspace_id FROM changed LOOP
      EXECUTE format(
        'SELECT EXISTS (SELECT FROM %s WHERE workspace_id = $1 AND waits_for_contact)', shard_of('queued_messages', workspace))
        INTO is_awaited USING workspace;
      CONTINUE WHEN NOT is_awaited;
      EXECUTE format(
        $sql$ UPDATE %s message SET waits_for_contact = FALSE, reason = NULL, updated_at = changed.updated_at,
            next_attempt_at = greatest(message.updated_at, changed.updated_at)
          FROM changed, %s step
          WHERE message.workspace_id = $1 AND message.contact_id = changed.id AND message.waits_for_contact
            AND changed.workspace_id = $1 AND step.workspace_id = $1 AND step.id = message.step_id
            AND NOT has_empty_variable(to_jsonb(changed), step.required_variables) $sql$,
        shard_of('queued_messages', workspace), shard_of('campaign_steps', workspace)) USING workspace;
    END LOOP;
    RETURN NULL;
  END $_$;

CREATE OR REPLACE FUNCTION update_record_counts() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
  DECLARE workspace bigint;
  BEGIN
    FOR workspace IN SELECT DISTINCT workspace_id FROM changed LOOP
      EXECUTE format(
        $sql$ INSERT INTO %s (id, workspace_id, counted, owner_id, total)
          SELECT next_on_node('record_counts_id_seq'), $1, %L, owner_id, total
          FROM (SELECT %s AS owner_id, %s count(*) AS total FROM changed WHERE workspace_id = $1 GROUP BY 1) counted $sql$,
        shard_of('record_counts', workspace),
        table_of(TG_TABLE_NAME),
        CASE WHEN TG_NARGS = 0 THEN '0' ELSE quote_ident(TG_ARGV[0]) END,
        CASE TG_OP WHEN 'DELETE' THEN '-' ELSE '' END) USING workspace;
    END LOOP;
    RETURN NULL;
  END $_$;
