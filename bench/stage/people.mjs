// A CSV of people as they come out of a CRM: three columns, accents, in no order. 197,000 rows are some 10 MB.
const FIRST = ['Léa', 'Hugo', 'Chloé', 'Oliver', 'Amélie', 'Jack', 'Zoë', 'Noah', 'Inès', 'George', 'Manon', 'Emily'];
const LAST = ['Lefèvre', 'Smith', 'Bonnet', 'Jones', 'Faure', 'Taylor', 'Garnier', 'Brown', 'Rousseau', 'Evans'];
const plain = (name) =>
  name
    .normalize('NFD')
    .replace(/[^a-z]/gi, '')
    .toLowerCase();

export function peopleCsv(rows) {
  const lines = ['email,first_name,last_name'];
  for (let n = 0; n < rows; n++) {
    // 7919 shares no factor with the number of rows unless that is a multiple of it: every person comes once.
    const person = (n * 7919) % rows;
    const first = FIRST[person % FIRST.length];
    const last = LAST[person % LAST.length];
    lines.push(`${plain(first)}.${plain(last)}.${person}@company${(person * 31) % 8999}.example,${first},${last}`);
  }
  return `${lines.join('\n')}\n`;
}
