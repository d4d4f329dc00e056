/** What a person is on, with the words before it. */
const LIST =
  '((this|that|the|your|any|all|all of|these|future|further|cette|votre|vos|la|le|les|ces|toutes|tous|ihrer?|ihre[mn]|de[mnr]|diese[mr]|eure[mn]|deine[mnr]|esta|este|su|sus|el|tu|vostra|vostre|sua|questa|tua|uw|de|deze|jullie|je|os|seus|sua|vossa|nossa|as) ){0,3}' +
  '((mailing|e ?mail|mail|contact|distribution|marketing|newsletter) )?' +
  '(lists?|data ?base|e ?mails?|mails?|mailings?|newsletters?|communications?|campaigns?|messages?|here|it|this|listes?( de (diffusion|contacts?|distribution|mailing))?|fichiers?|base( de donnees)?|envois?|courriels?|mailingliste|verteiler(liste)?|datenbank|adressliste|hier|listas?( de (correos?|distribucion|e ?mails?|contactos?|envios?|distribuicao|contatos?))?|lista di (distribuzione|contatti)|mailing ?lijst|lijst|bestand|adressenlijst|nieuwsbrief|base de da[dt]os)';
const MAILS = '(e ?mails?|mails?|messages?|mailings?|newsletters?)';
const MESSAGES = '((de |d |vos |ces |vos autres )?(e ?mails?|mails?|messages?|courriels?))';
const NACHRICHTEN = '(e ?mails?|mails?|nachrichten|newsletter|werbung)';
const CORREOS = '((sus|estos|los) )?(correos?|e ?mails?|mensajes?)';
const MESSAGGI = '((le|le vostre|le sue|altre|altri|vostre|vostri) )?(e ?mail|mail|messaggi|comunicazioni)';
const BERICHTEN = '(e ?mails?|mails?|berichten|nieuwsbrieven)';
const MENSAGENS = '((os|seus|os seus|estes|as suas) )?(e ?mails?|mensagens)';

/**
 * What people write who do not want to be written to, each of which says so alone: in lower case, without accents and
 * punctuation.
 */
export const UNSUBSCRIBE_REQUESTS: readonly string[] = [
  // English
  `(unsubscribe|remove|delete)( me| us| my (e ?mail|address|e ?mail address|name|contact|details|data))?( (from|off|off of|of) ${LIST})?`,
  `(take|get) (me|us|my (e ?mail|address|e ?mail address|name)) off( of)?( ${LIST})?`,
  `be (unsubscribed|removed|taken off)( (from|of) ${LIST}| ${LIST})?`,
  `opt( me)? ?out( (from|of) ${LIST})?`,
  'unsubscribed|unsubscription|stop( it| this)?',
  `(stop|quit) (e ?mailing|mailing|contacting|messaging|spamming|writing|sending|writing to)( me| us)?( (any ?more|more|these|your|such|this))*( ${MAILS})?`,
  `stop (sending )?(the |these |your |all )?${MAILS}`,
  `(do not|dont|don t|never) (e ?mail|mail|contact|message|write( to)?|send) (me|us)( (any|more|your|these|further))*( ${MAILS})?( (again|any ?more|ever again))?`,
  `no (more|further) ${MAILS}( from you)?`,
  // French
  `(me |nous )?(desabonner|desinscrire|desabonne|desinscris)( (de|a) ${LIST})?`,
  `(desabonnez|desinscrivez|desabonne|desinscris) (moi|nous)( (de|a) ${LIST})?`,
  '(desinscription|desabonnement)',
  `(etre )?(desabonnee?|desinscrite?|retiree?|supprimee?)( (de|du|des) ${LIST})?`,
  `(me|nous) (retirer|supprimer|enlever|rayer|effacer|sortir)( (de|du|des) ${LIST})?`,
  `(retirez|supprimez|enlevez|rayez|effacez|sortez|retirer|supprimer|enlever) (moi|nous|mon (adresse|e ?mail|mail)( e ?mail| mail)?|mes (coordonnees|donnees))( (de|du|des) ${LIST})?`,
  `(ne )?(m |me |nous )?(ecrivez|contactez|envoyez|sollicitez|relancez) plus( rien| jamais)?( ${MESSAGES})?`,
  `ne plus (m |me |nous )?(ecrire|contacter|envoyer|solliciter|relancer|recevoir|etre contactee?)( ${MESSAGES})?( de votre part)?`,
  `ne (souhaite|souhaitons|veux|voulons|desire|desirons) plus (recevoir|etre contactee?)( ${MESSAGES})?( de votre part)?`,
  'plus (de|d) (mails?|e ?mails?|messages?|courriels?)',
  // German
  '(abmelden|abmeldung|abbestellen|abbestellung|austragen|austragung)',
  `((mich|uns|meine (e ?mail ?)?(adresse|mail)) )?((von|aus) ${LIST} )?(abmelden|austragen|loschen|entfernen|streichen|herausnehmen|rausnehmen)`,
  `(mich|uns|meine (e ?mail ?)?adresse) (von|aus) ${LIST} nehmen`,
  `(von|aus) ${LIST} (nehmen|(abgemeldet|entfernt|gestrichen|geloscht|genommen) werden)`,
  `(melden|tragen|loschen|streichen|nehmen|entfernen) sie (mich|uns|meine (e ?mail ?)?adresse)( bitte)?( (ab|aus|raus|heraus))?( (von|aus) ${LIST}( (ab|aus|raus|heraus))?)?`,
  `(melde|melden|trage?|losche?|streiche?|nimm|nehmt|entferne?|entfernt) (mich|uns)( bitte)?( (von|aus) ${LIST})?( (ab|aus|raus|heraus))?`,
  `um (loschung|entfernung|streichung|abmeldung|austragung)( meiner (e ?mail ?)?adresse)?( (von|aus) ${LIST})?`,
  `(von (ihnen|euch|dir) )?keine (weiteren )?${NACHRICHTEN} mehr( (von (ihnen|euch|dir)|an mich))?( (erhalten|bekommen|empfangen|senden|schicken))?`,
  `keine weiteren ${NACHRICHTEN}( (von (ihnen|euch|dir)|an mich))?( (erhalten|bekommen|empfangen|senden|schicken))?`,
  '(schreiben|mailen|kontaktieren) sie (mir|uns|mich)( bitte)? nicht mehr( an)?',
  `(senden|schicken) sie (mir|uns)( bitte)? keine (weiteren )?${NACHRICHTEN}( mehr)?`,
  '(nicht mehr (kontaktiert|angeschrieben) werden|abgemeldet werden)',
  '(den )?newsletter (abbestellen|abmelden|kundigen)',
  // Spanish
  `(darme|darnos|dame|deme|denme|dadme|dar|demen) de baja( de ${LIST})?`,
  `baja( de ${LIST})?`,
  '(cancelar|cancela|cancele|cancelen|anular) (la |mi )?(suscripcion|subscripcion)',
  '(desuscrib|dessuscrib|desubscrib)(ir|irme|eme|anme|ame|a)',
  `(eliminar|elimine|eliminen|elimina|borrar|borre|borren|borra|quitar|quite|quiten|quita|sacar|saque|saquen|saca|retirar|retire|retiren)(me|nos)( (de|del) ${LIST})?`,
  `(eliminar|elimine|eliminen|elimina|borrar|borre|borren|borra|quitar|quiten|retirar|retiren) mi (correo|direccion|e ?mail)( (de|del) ${LIST})?`,
  `no (me|nos) (escriba|escriban|escribas|contacte|contacten|contactes|envie|envien|envies|mande|manden) mas( ${CORREOS})?`,
  `no (quiero|deseo|queremos) recibir( mas)? ${CORREOS}( suyos)?`,
  `dejar de recibir ${CORREOS}`,
  // Italian
  `(cancellami|cancellatemi|cancellarmi|disiscrivimi|disiscrivetemi|disiscrivermi|rimuovimi|rimuovetemi|rimuovermi|toglimi|toglietemi|togliermi|eliminami|eliminatemi|eliminarmi)( (da|dalla|dal|dalle|dai) ${LIST})?`,
  `(mi|ci) (cancelli|cancelliate|rimuova|rimuoviate|tolga|togliate|elimini|disiscriva)( (da|dalla|dal|dalle|dai) ${LIST})?`,
  `(essere )?(cancellat[oa]|rimoss[oa])( (da|dalla|dal|dalle|dai) ${LIST})?`,
  '(disiscrizione|cancellazione|annullare (l )?iscrizione|annulla (l )?iscrizione)',
  `non (mi )?(scriva|scrivete|scrivetemi|scrivermi|contatti|contattate|contattatemi|contattarmi|mandate|mandatemi|inviate|inviatemi|inviarmi) piu( ${MESSAGGI})?`,
  `non (voglio|desidero) (piu ricevere|ricevere piu) ${MESSAGGI}`,
  // Dutch
  `(me|mij|ons) (uit|af) te (schrijven|melden)( (van|voor|uit) ${LIST})?|(me |mij |ons )?(uitschrijven|afmelden|uitschrijving|afmelding)( (van|voor|uit) ${LIST})?`,
  `(schrijf|meld) (me|mij|ons) (uit|af)( (van|voor|uit) ${LIST})?`,
  `(verwijder|haal|schrap) (me|mij|ons|mijn (e ?mail ?)?adres)( (van|uit) ${LIST})?( (af|weg))?`,
  `(me|mij|ons|mijn (e ?mail ?)?adres) (van|uit) ${LIST} (te )?(verwijderen|halen|schrappen)|(me|mij|ons) (te )?verwijderen`,
  `(stuur|mail) (me|mij|ons) (geen ${BERICHTEN}|niet) meer`,
  `geen ${BERICHTEN} meer( (van (u|jullie)|te))?( (ontvangen|sturen|krijgen))?`,
  // Portuguese
  `(me )?(descadastrar|descadastre|descadastrem|descadastra|desinscrever|desinscreva|desinscrevam|desinscricao|descadastramento)( me)?( (de|da|do|das) ${LIST})?`,
  '(cancelar|cancele|cancelem|anular|anulem) (a |minha |a minha )?(inscricao|subscricao|assinatura)',
  `(remova|remover|removam|retire|retirem|retirar|exclua|excluam|excluir|elimine|eliminem|apague|apaguem) (me|nos|(o )?meu (e ?mail|endereco|contato|contacto))( (de|da|do|das) ${LIST})?`,
  `(me|nos) (remova|remover|removam|retire|retirem|retirar|exclua|excluam|excluir|tire|tirem)( (de|da|do|das) ${LIST})?`,
  `(ser )?(removid[oa]|descadastrad[oa])( (de|da|do|das) ${LIST})?`,
  'nao (me|nos) (contacte|contactem|contate|contatem|escreva|escrevam|envie|enviem|mande|mandem) mais( (e ?mails?|mensagens))?',
  'nao (me )?(envie|enviem|mande|mandem) mais (e ?mails?|mensagens)',
  `nao (quero|desejo) (mais receber|receber mais) ${MENSAGENS}`,
  `nao (quero|desejo) receber ${MENSAGENS}( mais)?`,
  'sair da (sua |vossa )?lista',
];

/** A refusal of an offer, which is no request alone. */
export const REFUSALS =
  'no|no thanks|no thank you|not interested|i m not interested|i am not interested|non merci|pas interessee?|nein danke|kein interesse|no gracias|no me interesa|no grazie|non mi interessa|nee bedankt|geen interesse|nao obrigad[oa]|nao tenho interesse';

/** What may stand before a request, in any number: politeness, and who wants it. */
export const LEADING_WORDS =
  'ok|hi|hello|please|pls|plz|kindly|just|can you|could you|would you|will you|i|we|want|would|i d|id|like|wish|need|ask|request|to|you to|' +
  'bonjour|s il vous plait|svp|s il te plait|merci|merci de|veuillez|pourriez vous|pouvez vous|bien|vouloir|je|nous|souhaite|souhaiterais|voudrais|veux|desire|demande a|' +
  'hallo|bitte|konnen sie|konnten sie|wurden sie|ich|wir|mochte|mochten|will|wunsche|sofort|umgehend|hiermit|' +
  'hola|por favor|porfavor|quiero|quisiera|deseo|solicito|la|me gustaria|les ruego|ruego|pido|puede|pueden|podria|podrian|' +
  'buongiorno|per favore|per cortesia|vi prego|la prego|vorrei|voglio|desidero|chiedo di|potete|puo|potreste|si prega di|' +
  'alstublieft|aub|graag|gelieve|wilt u|kunt u|kun je|ik|wil|zou|willen|' +
  'ola|favor|gostaria de|gostaria|quero|desejo|peco que|agradeco que|poderia|podem|pode';

/** What may stand after a request, in any number; alone it is no request. */
export const TRAILING_WORDS =
  'please|pls|plz|now|today|immediately|asap|at once|right away|thanks|thank you|thx|many thanks|thanks a lot|thank you very much|again|forever|permanently|' +
  'merci|merci beaucoup|s il vous plait|svp|d avance|par avance|immediatement|tout de suite|definitivement|' +
  'bitte|danke|vielen dank|besten dank|sofort|umgehend|danke schon|' +
  'por favor|gracias|muchas gracias|inmediatamente|' +
  'per favore|grazie|grazie mille|subito|immediatamente|' +
  'alstublieft|aub|bedankt|dank u|dank je|graag|alvast bedankt|' +
  'obrigad[oa]|muito obrigad[oa]|imediatamente';

/** Words that begin a polite question. Other questions ask how it is done, or whether it was. */
export const POLITE_QUESTION =
  /^(please|can|could|would|will|pouvez|pourriez|bitte|konnen|konnten|wurden|puede|pueden|podria|podrian|por favor|potete|puo|potreste|kunt|kun|wilt|zou|pode|podem|poderia) /;

/** Greetings, and the closing lines of letters. */
export const GREETING_LINE =
  /^(hi|hello|hey|dear|good (morning|afternoon|day)|bonjour|madame|monsieur|cher|chere|hallo|guten (tag|morgen)|sehr geehrte|liebe|lieber|hola|estimad[oa]s?|buenos dias|buongiorno|gentile|salve|ciao|beste|geachte|ola|prezad[oa]s?|car[oa])( [a-z ]{0,40})?$/;
export const CLOSING_LINE =
  /^(best|((best|kind|kindest|warm|many)? ?(regards|wishes)|cheers|sincerely|yours( (sincerely|faithfully|truly))?|(bien )?cordialement|salutations|bien a vous|mit (freundlichen|besten) grussen|(freundliche|viele|beste|liebe) grusse|gruss|mfg|lg|saludos( cordiales)?|un saludo|atentamente|cordiali saluti|distinti saluti|saluti|met vriendelijke groet(en)?|groet(en)?|mvg|atenciosamente|(com os melhores )?cumprimentos)( [a-z]{1,30}){0,3}|(sent|get|envoye|gesendet|von meinem|enviado|inviato|verstuurd|verzonden) .{1,60})$/;
