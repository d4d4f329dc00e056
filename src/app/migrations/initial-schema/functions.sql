-- What columns, triggers and statements call. Their tables do not exist yet. Trigger functions stand in functions-on-shards.sql, too.
SET LOCAL check_function_bodies = off;

CREATE FUNCTION count_contact_changes() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
  BEGIN
    INSERT INTO record_counts (workspace_id, counted, owner_id, total)
    SELECT DISTINCT workspace_id, 'contact_changes', 0, 1 FROM changed;
    RETURN NULL;
  END $$;

CREATE FUNCTION follow_auto_enroll_sources() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
  BEGIN
    PERFORM 1 FROM campaigns campaign
    WHERE (campaign.workspace_id, campaign.id) IN (SELECT workspace_id, campaign_id FROM changed)
    ORDER BY campaign.workspace_id, campaign.id FOR NO KEY UPDATE;
    UPDATE campaigns campaign SET updated_at = greatest(updated_at, now()), auto_enrolls = EXISTS (
        SELECT 1 FROM auto_enroll_sources source
        WHERE source.workspace_id = campaign.workspace_id AND source.campaign_id = campaign.id)
    WHERE (campaign.workspace_id, campaign.id) IN (SELECT workspace_id, campaign_id FROM changed);
    RETURN NULL;
  END $$;

CREATE FUNCTION follow_tracking_domain_owner() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
  BEGIN
    INSERT INTO tracking_domains (workspace_id, domain, verified_at)
    VALUES (NEW.id, NEW.tracking_domain, NEW.tracking_domain_verified_at)
    ON CONFLICT (domain) DO UPDATE SET workspace_id = EXCLUDED.workspace_id, verified_at = EXCLUDED.verified_at;
    RETURN NULL;
  END $$;

CREATE FUNCTION has_empty_variable(contact jsonb, names text[]) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT EXISTS (
      SELECT FROM unnest(names) AS variable (name)
      WHERE coalesce(CASE
        WHEN name = 'full_name' THEN concat(contact ->> 'first_name', contact ->> 'last_name')
        WHEN starts_with(name, 'custom_fields.') THEN contact -> 'custom_fields' ->> substr(name, 15)
        WHEN contact ? name AND name NOT IN ('workspace_id', 'search_text', 'custom_fields') THEN contact ->> name
        ELSE contact -> 'custom_fields' ->> name END, '') !~ '[^[:space:]]')
  $$;

CREATE FUNCTION insert_ordered_values() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
  BEGIN
    EXECUTE $sql$ 
  INSERT INTO ordered_values (workspace_id, contact_id, custom_field_id, value)
  SELECT contact.workspace_id, contact.id, field.id,
    CASE field.type
      WHEN 'number' THEN (contact.custom_fields ->> field.key)::double precision
      ELSE ordered_date(contact.custom_fields ->> field.key) END
  FROM changed contact
  JOIN custom_fields field ON field.workspace_id = contact.workspace_id
    AND field.type IN ('number', 'date') AND contact.custom_fields ? field.key $sql$;
    RETURN NULL;
  END $_$;

-- Whatever creates or changes an account, a mailbox that is read has a reading; one at another server or of another user
-- begins anew.
CREATE FUNCTION keep_mailbox_reading() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
   BEGIN
     IF TG_OP = 'UPDATE' AND (
       NEW.imap_host IS DISTINCT FROM OLD.imap_host
       OR coalesce(NEW.imap_username, NEW.smtp_username) IS DISTINCT FROM coalesce(OLD.imap_username, OLD.smtp_username)
     ) THEN
       DELETE FROM mailbox_readings WHERE workspace_id = NEW.workspace_id AND email_account_id = NEW.id;
       DELETE FROM mailbox_cursors WHERE workspace_id = NEW.workspace_id AND email_account_id = NEW.id;
       DELETE FROM failed_mails WHERE workspace_id = NEW.workspace_id AND email_account_id = NEW.id;
     END IF;
     IF NEW.imap_host IS NOT NULL OR NEW.type IN ('google', 'microsoft') THEN
       INSERT INTO mailbox_readings (workspace_id, email_account_id, read_from)
       VALUES (NEW.workspace_id, NEW.id, date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC')
       ON CONFLICT (workspace_id, email_account_id) DO UPDATE SET next_read_at = now(), failures = 0, last_error = NULL;
       UPDATE failed_mails SET next_try_at = now() WHERE workspace_id = NEW.workspace_id AND email_account_id = NEW.id;
     END IF;
     RETURN NULL;
   END $$;

CREATE FUNCTION lies_where_consent_is_needed(timezone text, custom_fields jsonb) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
     SELECT coalesce(lower(timezone) = ANY ('{"africa/ceuta","america/cayenne","america/guadeloupe","america/marigot","america/martinique","arctic/longyearbyen","asia/famagusta","asia/nicosia","atlantic/azores","atlantic/canary","atlantic/jan_mayen","atlantic/madeira","atlantic/reykjavik","cet","eet","eire","europe/amsterdam","europe/athens","europe/belfast","europe/berlin","europe/bratislava","europe/brussels","europe/bucharest","europe/budapest","europe/busingen","europe/copenhagen","europe/dublin","europe/helsinki","europe/lisbon","europe/ljubljana","europe/london","europe/luxembourg","europe/madrid","europe/malta","europe/mariehamn","europe/nicosia","europe/oslo","europe/paris","europe/prague","europe/riga","europe/rome","europe/sofia","europe/stockholm","europe/tallinn","europe/vaduz","europe/vienna","europe/vilnius","europe/warsaw","europe/zagreb","europe/zurich","gb","gb-eire","iceland","indian/mayotte","indian/reunion","met","poland","portugal","wet"}'::text[]), FALSE)
       OR ARRAY[lower(btrim(custom_fields ->> 'country')), lower(btrim(custom_fields ->> 'country_code'))]
         && '{"at","aut","austria","autriche","österreich","osterreich","oostenrijk","áustria","be","bel","belgium","belgique","belgien","bélgica","belgica","belgio","belgië","belgie","bg","bgr","bulgaria","bulgarie","bulgarien","bulgarije","bulgária","българия","hr","hrv","croatia","croatie","kroatien","croacia","croazia","kroatië","kroatie","croácia","hrvatska","cy","cyp","cyprus","chypre","zypern","chipre","cipro","κύπρος","κυπρος","cz","cze","czechia","tchéquie","tchequie","tschechien","chequia","cechia","tsjechië","tsjechie","tchéquia","tchequia","chéquia","česko","cesko","czech republic","république tchèque","republique tcheque","tschechische republik","república checa","republica checa","repubblica ceca","tsjechische republiek","česká republika","ceska republika","dk","dnk","denmark","danemark","dänemark","dinamarca","danimarca","denemarken","danmark","ee","est","estonia","estonie","estland","estônia","estónia","eesti","fi","fin","finland","finlande","finnland","finlandia","finlândia","suomi","fr","fra","france","frankreich","francia","frankrijk","frança","franca","de","deu","germany","allemagne","deutschland","alemania","germania","duitsland","alemanha","gr","grc","greece","grèce","grece","griechenland","grecia","griekenland","grécia","ελλάδα","ελλαδα","el","hellas","hu","hun","hungary","hongrie","ungarn","hungría","hungria","ungheria","hongarije","magyarország","magyarorszag","ie","irl","ireland","irlande","irland","irlanda","ierland","éire","eire","republic of ireland","it","ita","italy","italie","italien","italia","italië","itália","lv","lva","latvia","lettonie","lettland","letonia","lettonia","letland","letônia","letónia","latvija","lt","ltu","lithuania","lituanie","litauen","lituania","litouwen","lituânia","lietuva","lu","lux","luxembourg","luxemburg","luxemburgo","lussemburgo","lëtzebuerg","letzebuerg","mt","mlt","malta","malte","nl","nld","netherlands","pays-bas","niederlande","países bajos","paises bajos","paesi bassi","nederland","países baixos","paises baixos","the netherlands","holland","hollande","olanda","holanda","pl","pol","poland","pologne","polen","polonia","polônia","polónia","polska","pt","prt","portugal","portogallo","ro","rou","romania","roumanie","rumänien","rumanien","rumanía","rumania","roemenië","roemenie","romênia","romenia","roménia","românia","sk","svk","slovakia","slovaquie","slowakei","eslovaquia","slovacchia","slowakije","eslováquia","slovensko","slovak republic","si","svn","slovenia","slovénie","slovenie","slowenien","eslovenia","slovenië","eslovênia","eslovénia","slovenija","es","esp","spain","espagne","spanien","españa","espana","spagna","spanje","espanha","se","swe","sweden","suède","suede","schweden","suecia","svezia","zweden","suécia","sverige","is","isl","iceland","islande","island","islandia","islanda","ijsland","islândia","ísland","li","lie","liechtenstein","listenstaine","no","nor","norway","norvège","norvege","norwegen","noruega","norvegia","noorwegen","norge","ch","che","switzerland","suisse","schweiz","suiza","svizzera","zwitserland","suíça","suica","gb","gbr","united kingdom","royaume-uni","vereinigtes königreich","vereinigtes konigreich","reino unido","regno unito","verenigd koninkrijk","uk","great britain","grande-bretagne","großbritannien","gran bretaña","gran bretana","gran bretagna","groot-brittannië","groot-brittannie","grã-bretanha","gra-bretanha","england","scotland","wales","northern ireland","gp","glp","guadeloupe","mq","mtq","martinique","gf","guf","french guiana","guyane","guyane française","guyane francaise","re","reu","réunion","reunion","la réunion","yt","myt","mayotte","mf","maf","saint-martin","ax","ala","åland","aland","åland islands"}'::text[] $$;

CREATE FUNCTION note_changed_contacts() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
  DECLARE workspace bigint; first_id bigint; last_id bigint;
  BEGIN
    FOR workspace IN
      SELECT touched.workspace_id FROM (SELECT DISTINCT workspace_id FROM changed) touched
      WHERE EXISTS (SELECT 1 FROM campaigns campaign
        WHERE campaign.workspace_id = touched.workspace_id AND campaign.status = 'active' AND campaign.auto_enrolls)
    LOOP
      SELECT min(id), max(id) INTO first_id, last_id FROM changed_contacts WHERE workspace_id = workspace;
      IF last_id - first_id >= 1000000 THEN
        INSERT INTO changed_contacts (workspace_id, contact_id)
        SELECT workspace, NULL FROM changed_contacts last
        WHERE last.workspace_id = workspace AND last.id = last_id AND last.contact_id IS NOT NULL;
      ELSE
        INSERT INTO changed_contacts (workspace_id, contact_id)
        SELECT workspace, changed.id FROM changed WHERE changed.workspace_id = workspace AND changed.status = 'active';
      END IF;
    END LOOP;
    RETURN NULL;
  END $$;

CREATE FUNCTION note_changed_members() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
  DECLARE workspace bigint; first_id bigint; last_id bigint;
  BEGIN
    FOR workspace IN
      SELECT touched.workspace_id FROM (SELECT DISTINCT workspace_id FROM changed) touched
      WHERE EXISTS (SELECT 1 FROM campaigns campaign
        WHERE campaign.workspace_id = touched.workspace_id AND campaign.status = 'active' AND campaign.auto_enrolls)
    LOOP
      SELECT min(id), max(id) INTO first_id, last_id FROM changed_contacts WHERE workspace_id = workspace;
      IF last_id - first_id >= 1000000 THEN
        INSERT INTO changed_contacts (workspace_id, contact_id)
        SELECT workspace, NULL FROM changed_contacts last
        WHERE last.workspace_id = workspace AND last.id = last_id AND last.contact_id IS NOT NULL;
      ELSE
        INSERT INTO changed_contacts (workspace_id, contact_id)
        SELECT workspace, changed.contact_id FROM changed WHERE changed.workspace_id = workspace;
      END IF;
    END LOOP;
    RETURN NULL;
  END $$;

CREATE FUNCTION ordered_date(written text) RETURNS double precision
    LANGUAGE sql STABLE STRICT
    AS $$
    SELECT floor(extract(epoch FROM
      (regexp_replace(written, '(\.\d{3})\d+', '\1') || CASE length(written) WHEN 10 THEN 'T00:00:00Z' ELSE '' END)
        ::timestamptz) * 1000)::double precision
  $$;

CREATE FUNCTION release_messages_of_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
  BEGIN
    IF NOT EXISTS (
      SELECT FROM queued_messages message
      WHERE message.workspace_id = (SELECT changed.workspace_id FROM changed LIMIT 1) AND message.waits_for_contact
    ) THEN RETURN NULL; END IF;
    EXECUTE $sql$
      UPDATE queued_messages message SET waits_for_contact = FALSE, reason = NULL, updated_at = changed.updated_at,
        next_attempt_at = greatest(message.updated_at, changed.updated_at)
      FROM changed, campaign_steps step
      WHERE message.workspace_id = changed.workspace_id AND message.contact_id = changed.id AND message.waits_for_contact
        AND step.workspace_id = message.workspace_id AND step.id = message.step_id
        AND NOT has_empty_variable(to_jsonb(changed), step.required_variables)
    $sql$;
    RETURN NULL;
  END $_$;

CREATE FUNCTION update_ordered_values() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
  DECLARE rewritten bigint;
  BEGIN
    EXECUTE $sql$ SELECT count(*) FROM 
  (SELECT changed.* FROM before
   JOIN changed ON changed.workspace_id = before.workspace_id AND changed.id = before.id
   WHERE changed.custom_fields <> before.custom_fields) contact $sql$ INTO rewritten;
    IF rewritten = 0 THEN RETURN NULL; END IF;
    EXECUTE $sql$ DELETE FROM ordered_values own USING 
  (SELECT changed.* FROM before
   JOIN changed ON changed.workspace_id = before.workspace_id AND changed.id = before.id
   WHERE changed.custom_fields <> before.custom_fields) contact
      WHERE own.workspace_id = contact.workspace_id AND own.contact_id = contact.id $sql$;
    EXECUTE $sql$ 
  INSERT INTO ordered_values (workspace_id, contact_id, custom_field_id, value)
  SELECT contact.workspace_id, contact.id, field.id,
    CASE field.type
      WHEN 'number' THEN (contact.custom_fields ->> field.key)::double precision
      ELSE ordered_date(contact.custom_fields ->> field.key) END
  FROM 
  (SELECT changed.* FROM before
   JOIN changed ON changed.workspace_id = before.workspace_id AND changed.id = before.id
   WHERE changed.custom_fields <> before.custom_fields) contact
  JOIN custom_fields field ON field.workspace_id = contact.workspace_id
    AND field.type IN ('number', 'date') AND contact.custom_fields ? field.key $sql$;
    RETURN NULL;
  END $_$;

CREATE FUNCTION update_record_counts() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
  BEGIN
    EXECUTE format(
      'INSERT INTO record_counts (workspace_id, counted, owner_id, total)
       SELECT workspace_id, %L, %s, %s count(*) FROM changed GROUP BY 1, 3',
      TG_TABLE_NAME,
      CASE WHEN TG_NARGS = 0 THEN '0' ELSE quote_ident(TG_ARGV[0]) END,
      CASE TG_OP WHEN 'DELETE' THEN '-' ELSE '' END);
    RETURN NULL;
  END $$;
