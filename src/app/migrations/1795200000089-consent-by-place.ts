import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The consent to tracking can be required by the place of the contact, which is the default of new workspaces, and campaigns have
 * the language of their footer.
 */
export class ConsentByPlace1795200000089 implements MigrationInterface {
  name = 'ConsentByPlace1795200000089';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

/** An array of what a list separates by commas and line breaks. */
const textArray = (list: string): string =>
  `'{${list
    .split(/,\s*/)
    .map((text) => `"${text.trim()}"`)
    .join(',')}}'::text[]`;

/**
 * The time zones of the EU with its outermost regions, of the EEA, Switzerland and the United Kingdom: zone.tab and backward of the
 * time zone database of IANA, with the older names that these zones have there.
 */
const ZONES = `
  africa/ceuta,america/cayenne,america/guadeloupe,america/marigot,america/martinique,arctic/longyearbyen,asia/famagusta,
  asia/nicosia,atlantic/azores,atlantic/canary,atlantic/jan_mayen,atlantic/madeira,atlantic/reykjavik,cet,eet,eire,
  europe/amsterdam,europe/athens,europe/belfast,europe/berlin,europe/bratislava,europe/brussels,europe/bucharest,europe/budapest,
  europe/busingen,europe/copenhagen,europe/dublin,europe/helsinki,europe/lisbon,europe/ljubljana,europe/london,
  europe/luxembourg,europe/madrid,europe/malta,europe/mariehamn,europe/nicosia,europe/oslo,europe/paris,europe/prague,
  europe/riga,europe/rome,europe/sofia,europe/stockholm,europe/tallinn,europe/vaduz,europe/vienna,europe/vilnius,
  europe/warsaw,europe/zagreb,europe/zurich,gb,gb-eire,iceland,indian/mayotte,indian/reunion,met,poland,portugal,wet`;

/**
 * The same places by their codes (ISO 3166-1) and names: those of the Unicode CLDR in English, French, German, Spanish, Italian,
 * Dutch, Portuguese and their own languages, also without accents, and other common ones.
 */
const COUNTRIES = `
  at,aut,austria,autriche,österreich,osterreich,oostenrijk,áustria,
  be,bel,belgium,belgique,belgien,bélgica,belgica,belgio,belgië,belgie,
  bg,bgr,bulgaria,bulgarie,bulgarien,bulgarije,bulgária,българия,
  hr,hrv,croatia,croatie,kroatien,croacia,croazia,kroatië,kroatie,croácia,hrvatska,
  cy,cyp,cyprus,chypre,zypern,chipre,cipro,κύπρος,κυπρος,
  cz,cze,czechia,tchéquie,tchequie,tschechien,chequia,cechia,tsjechië,tsjechie,tchéquia,tchequia,chéquia,česko,cesko,
  czech republic,république tchèque,republique tcheque,tschechische republik,república checa,republica checa,repubblica ceca,
  tsjechische republiek,česká republika,ceska republika,
  dk,dnk,denmark,danemark,dänemark,dinamarca,danimarca,denemarken,danmark,
  ee,est,estonia,estonie,estland,estônia,estónia,eesti,
  fi,fin,finland,finlande,finnland,finlandia,finlândia,suomi,
  fr,fra,france,frankreich,francia,frankrijk,frança,franca,
  de,deu,germany,allemagne,deutschland,alemania,germania,duitsland,alemanha,
  gr,grc,greece,grèce,grece,griechenland,grecia,griekenland,grécia,ελλάδα,ελλαδα,el,hellas,
  hu,hun,hungary,hongrie,ungarn,hungría,hungria,ungheria,hongarije,magyarország,magyarorszag,
  ie,irl,ireland,irlande,irland,irlanda,ierland,éire,eire,republic of ireland,
  it,ita,italy,italie,italien,italia,italië,itália,
  lv,lva,latvia,lettonie,lettland,letonia,lettonia,letland,letônia,letónia,latvija,
  lt,ltu,lithuania,lituanie,litauen,lituania,litouwen,lituânia,lietuva,
  lu,lux,luxembourg,luxemburg,luxemburgo,lussemburgo,lëtzebuerg,letzebuerg,
  mt,mlt,malta,malte,
  nl,nld,netherlands,pays-bas,niederlande,países bajos,paises bajos,paesi bassi,nederland,países baixos,paises baixos,
  the netherlands,holland,hollande,olanda,holanda,
  pl,pol,poland,pologne,polen,polonia,polônia,polónia,polska,
  pt,prt,portugal,portogallo,
  ro,rou,romania,roumanie,rumänien,rumanien,rumanía,rumania,roemenië,roemenie,romênia,romenia,roménia,românia,
  sk,svk,slovakia,slovaquie,slowakei,eslovaquia,slovacchia,slowakije,eslováquia,slovensko,slovak republic,
  si,svn,slovenia,slovénie,slovenie,slowenien,eslovenia,slovenië,eslovênia,eslovénia,slovenija,
  es,esp,spain,espagne,spanien,españa,espana,spagna,spanje,espanha,
  se,swe,sweden,suède,suede,schweden,suecia,svezia,zweden,suécia,sverige,
  is,isl,iceland,islande,island,islandia,islanda,ijsland,islândia,ísland,
  li,lie,liechtenstein,listenstaine,
  no,nor,norway,norvège,norvege,norwegen,noruega,norvegia,noorwegen,norge,
  ch,che,switzerland,suisse,schweiz,suiza,svizzera,zwitserland,suíça,suica,
  gb,gbr,united kingdom,royaume-uni,vereinigtes königreich,vereinigtes konigreich,reino unido,regno unito,verenigd koninkrijk,
  uk,great britain,grande-bretagne,großbritannien,gran bretaña,gran bretana,gran bretagna,groot-brittannië,groot-brittannie,
  grã-bretanha,gra-bretanha,england,scotland,wales,northern ireland,
  gp,glp,guadeloupe,
  mq,mtq,martinique,
  gf,guf,french guiana,guyane,guyane française,guyane francaise,
  re,reu,réunion,reunion,la réunion,
  yt,myt,mayotte,
  mf,maf,saint-martin,
  ax,ala,åland,aland,åland islands`;

const STATEMENTS = [
  `CREATE FUNCTION lies_where_consent_is_needed(timezone text, custom_fields jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE
     PARALLEL SAFE AS $$
     SELECT coalesce(lower(timezone) = ANY (${textArray(ZONES)}), FALSE)
       OR ARRAY[lower(btrim(custom_fields ->> 'country')), lower(btrim(custom_fields ->> 'country_code'))]
         && ${textArray(COUNTRIES)} $$`,
  // The workspaces that exist keep what they have.
  'ALTER TABLE workspaces ADD tracking_consent_by_place boolean NOT NULL DEFAULT false',
  `ALTER TABLE workspaces ALTER tracking_consent_by_place SET DEFAULT true,
     ALTER tracking_consent_required SET DEFAULT true`,
  `ALTER TABLE campaigns ADD language text NOT NULL DEFAULT 'en'`,
  `ALTER TABLE campaigns ADD CONSTRAINT campaign_language_known
     CHECK (language IN ('en', 'fr', 'de', 'es', 'it', 'nl', 'pt')) NOT VALID`,
  'ALTER TABLE campaigns VALIDATE CONSTRAINT campaign_language_known',
];
