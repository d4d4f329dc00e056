/** The names of the fields that mail programs write above a mail that they quote, in several languages. */
const SENDERS =
  'from|de|von|da|van|fra|från|od|от|від|kimden|gönderen|από|feladó|de la|lähettäjä|差出人|送信者|보낸 ?사람|发件人|寄件者|寄件人|từ|dari|מאת|من|จาก';
const DATES =
  'sent|date|gesendet|datum|envoyée?|inviato|data|enviado|enviada|fecha|verzonden|sendt|dato|skickat|wysłano|wysłane|odesláno|odoslané|dátum|poslano|отправлено|дата|надіслано|відправлено|изпратено|gönderildi|gönderme tarihi|tarih|στάλθηκε|εστάλη|αποστολή|ημερομηνία|elküldve|küldve|trimis|lähetetty|päivämäärä|pvm|送信日時|日時|日付|보낸 ?날짜|날짜|发送时间|发送日期|寄件日期|傳送時間|日期|đã gửi|dikirim|tanggal|נשלח|تم الإرسال|ส่ง';
const OTHERS =
  'to|cc|subject|importance|à|a|objet|cci?|répondre à|an|betreff|oggetto|para|per a|asunto|assunto|aan|onderwerp|til|emne|till|ämne|do|dw|temat|komu|předmět|predmet|kopie|kópia|za|zadeva|кому|тема|копия|копія|до|относно|kime|alıcı|konu|bilgi|προς|θέμα|κοιν|címzett|tárgy|másolatot kap|către|subiect|vastaanottaja|aihe|kopio|宛先|件名|받는 ?사람|제목|참조|收件人|收件者|主题|主題|主旨|抄送|副本|đến|chủ đề|kepada|perihal|subjek|אל|נושא|إلى|الموضوع|ถึง|เรื่อง';

const named = (names: string): RegExp => new RegExp(String.raw`^[*_]{0,2}(${names}) ?[:：][*_]{0,2}`, 'iu');
const SENDER = named(SENDERS);
/** The fields that come first. */
const FIRST = named(`${SENDERS}|${DATES}`);
const FIELD = named(`${SENDERS}|${DATES}|${OTHERS}`);
/** A field in any language, and its value. */
const ANY_FIELD = /^[*_]{0,2}(\p{L}[\p{L}\p{M} .'’-]{0,29}) ?[:：][*_]{0,2} ?((?!\/\/).*)$/u;

/** A header has its fields within so many lines: a long list of recipients takes several. */
const MAX_LINES = 12;
const MIN_FIELDS = 3;

const YEAR = /(?<!\d)2[05]\d\d(?!\d)|(?<!\d)\d{1,2}[./-]\d{1,2}[./-]\d\d(?!\d)/;
const TIME = /(?<!\d)\d{1,2} ?[:.時시] ?\d\d(?![\d.])/;

/**
 * Returns whether the header of a quoted mail begins at this line: `From:`, `Sent:`, `To:`, `Subject:`. Fields in a
 * language that is not known are those of a header if one has a date with a time, and two have addresses.
 */
export const isMailHeader = (lines: readonly string[], index: number): boolean =>
  hasNamesOfHeader(lines, index) || hasFormOfHeader(lines, index);

function hasNamesOfHeader(lines: readonly string[], index: number): boolean {
  if (!FIRST.test(fieldIn(lines[index]))) return false;
  const names = new Set<string>();
  let hasSender = false;
  let hasValue = false;
  for (const line of lines.slice(index, index + MAX_LINES)) {
    const field = fieldIn(line);
    if (field === '') {
      if (names.size >= MIN_FIELDS) break;
      continue;
    }
    const name = FIELD.exec(field)?.[1];
    if (name !== undefined) names.add(name.toLowerCase());
    hasSender ||= SENDER.test(field);
    // "From: 9:00, to: 17:00" are hours.
    hasValue ||= field.includes('@') || YEAR.test(field);
  }
  return hasSender && hasValue && names.size >= MIN_FIELDS;
}

function hasFormOfHeader(lines: readonly string[], index: number): boolean {
  const names = new Set<string>();
  let addresses = 0;
  let dates = 0;
  for (const line of lines.slice(index, index + MAX_LINES)) {
    const text = fieldIn(line);
    const [, name, value = ''] = ANY_FIELD.exec(text) ?? [];
    if (name === undefined) {
      // The recipients go on.
      if (names.size > 0 && text.includes('@')) continue;
      break;
    }
    names.add(name.toLowerCase());
    if (value.includes('@')) addresses += 1;
    else if (YEAR.test(value) && TIME.test(value)) dates += 1;
    if (addresses + dates === 0) return false;
  }
  return names.size >= MIN_FIELDS && addresses >= 2 && dates === 1;
}

const MAX_FIELD_LENGTH = 200;
const fieldIn = (line: string | undefined): string => (line ?? '').slice(0, MAX_FIELD_LENGTH).trim();
