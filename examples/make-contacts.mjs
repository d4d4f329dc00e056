// Writes contacts.csv into its own folder, with the same bytes every time: node examples/make-contacts.mjs
// All domains are reserved (RFC 2606), all phone numbers are from ranges for fiction (Arcep, Ofcom).
import { writeFileSync } from 'node:fs';

const PEOPLE = 1963;
const DUPLICATES = 25;
const BOUNCES = 40;

const HEADER = 'Email,First name,Last name,Company,Job title,Phone,LinkedIn,Industry,Employees'.split(',');

const words = (text) => text.trim().split(/\s+/);
const phrases = (text) => text.trim().split(/\s*\|\s*/);

const FRENCH = {
  first: words(`Adèle Agnès Alexandre Amélie Anaïs André Antoine Aurélie Aurore Baptiste Bénédicte Benoît Camille Céline
    Chloé Clément Clémence Cyril Damien Delphine Édouard Élise Éloïse Émile Émilie Estelle Étienne Fabrice Fanny Florence
    François Françoise Frédéric Gaëlle Gérard Grégoire Guillaume Hélène Hugo Inès Jean-Baptiste Jérôme Joëlle Julien
    Karim Léa Léo Loïc Louise Lucie Maëlle Marc Margaux Marie-Claire Mathéo Maxime Mélanie Michaël Noémie Océane Olivier
    Pauline Raphaël Régis Rémi Romain Sébastien Solène Stéphane Sylvain Théo Thérèse Timothée Valérie Véronique Yasmine
    Yoann Zoé`),
  last: words(`Aubert Barbier Béranger Berthelot Besançon Blanchard Bonnet Boucher Bourdon Carlier Charpentier Chevalier
    Collet Cordier Coulibaly D'Alembert Delaunay Delmas Deschamps Desjardins Dubois Dufour Dumont Dupré Durand Évrard
    Fabre Faure Ferrand Fontaine Fournier Garnier Gauthier Gérard Girard Guérin Guillot Hébert Huet Jacquet Joubert
    Lacroix Laforêt Lambert Lefèvre Legrand Lemaître Lévêque Maillard Marchand Martin Méchain Mercier Meunier Michaud
    Moreau Navarro N'Diaye Noël Paris Pelletier Perrault Petit Poirier Prévost Quéméneur Renard Rivière Rousseau Roux
    Saint-Clair Séguin Tessier Thévenot Vasseur Verdier Villeneuve Vincent Weiß`),
  jobs: phrases(`Responsable des ventes | Direction générale | Responsable marketing | Comptable | Responsable des achats
    | Responsable des opérations | Responsable qualité | Secrétaire de direction | Responsable de la communication
    | Juriste | Architecte | Analyste | Responsable d'exploitation | Responsable de clientèle`),
  phone: (digits) => `+33 6 39 98 ${digits(2)} ${digits(2)}`,
};

const ENGLISH = {
  first:
    words(`Abigail Aisha Alistair Amelia Andrew Beatrice Benjamin Bethany Callum Charlotte Chloë Christopher Daisy Daniel
    Declan Edith Eleanor Elliot Emily Ewan Fergus Fiona Freya George Georgia Grace Hamish Hannah Harriet Harry Imogen Isaac
    Jack Jasmine Jonathan Joshua Katherine Keira Kieran Laura Lewis Lily Lucas Maisie Martha Matthew Megan Miles Molly
    Nathan Niamh Oliver Olivia Oscar Patrick Phoebe Priya Rebecca Reuben Robert Rosie Rowan Ruth Samuel Sarah Scarlett
    Seán Sophie Stephen Thomas Toby Victoria William Zachary Zoë`),
  last: words(`Abbott Ashworth Bailey Barnes Baxter Bennett Blackwood Bradshaw Burgess Carmichael Chambers Clarke
    Coleman Crawford Dawson Dixon Doyle Ellison Fairbanks Farrell Fletcher Forsyth Gallagher Gibson Goddard Graham
    Greenwood Griffiths Hadley Hartley Hawkins Holloway Hughes Hutchinson Ingram Jennings Kavanagh Keating Kendall
    Lawson Lindqvist MacLeod Marlowe Mehta Merriweather Middleton Morgan Nwosu O'Brien O'Connor Okafor Palmer Patel
    Pemberton Prescott Quinn Radnor Redmond Rhodes Rutherford Shepherd Sinclair Stanton Sutherland Thornton Underwood
    Vaughan Wainwright Walsh Whitfield Wilkinson Winslow Woodward Wright Yates Ó Súilleabháin`),
  jobs: phrases(`Head of Sales | Managing Director | Marketing Manager | Account Executive | Project Manager
    | Procurement Lead | Chief Operating Officer | Owner | Financial Controller | Quality Manager | Design Engineer
    | Office Manager | Head of Communications | Technician | Product Manager`),
  phone: (digits) => `+44 7700 900${digits(3)}`,
};

// Industry: minimum and maximum of employees, then names of companies, in which a last name replaces *.
const INDUSTRIES = Object.entries({
  Food: [2, 60, 'Boulangerie * | Fromagerie * | Épicerie * & Fils', '* Bakery | * & Sons Dairy | The * Kitchen'],
  Construction: [5, 400, 'Menuiserie * | Bâtiments * | * Frères Maçonnerie', '* Builders | * Joinery | * & Daughters'],
  Software: [3, 900, 'Logiciels * | Atelier numérique * | * Données', '* Software | * Analytics | * Labs'],
  Health: [8, 1500, 'Clinique * | Pharmacie * | Laboratoire *', '* Dental Care | * Pharmacy | * Health Group'],
  Logistics: [10, 2500, 'Transports * | * Messagerie | Entrepôts *', '* Freight | * Logistics | * Couriers'],
  Finance: [4, 700, 'Cabinet * | Assurances * | *, Roche & Associés', '* Wealth | *, Lyle & Co | * Insurance'],
  Tourism: [2, 250, 'Hôtel * | Voyages * | Domaine *', '* Hotels | * Travel | * Lodge'],
  Education: [6, 350, 'École * | Éditions * | Formation *', '* Academy | * Press | * Training'],
  Manufacturing: [20, 5000, 'Ateliers * | * Mécanique | Fonderie *', '* Engineering | * Castings | * Mills'],
}).map(([industry, [minEmployees, maxEmployees, french, english]]) => ({
  industry,
  minEmployees,
  maxEmployees,
  names: { french: phrases(french), english: phrases(english) },
}));

/** Mulberry32: numbers from 0 to 1, the same ones for the same seed. */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const random = randomFrom(2026);
const between = (from, to) => from + Math.floor(random() * (to - from + 1));
const oneOf = (choices) => choices[between(0, choices.length - 1)];
const chance = (share) => random() < share;
const digits = (count) => Array.from({ length: count }, () => between(0, 9)).join('');
const filled = (length, text) => text.repeat(Math.ceil(length / text.length)).slice(0, length);

/** Lower case without accents; every other character becomes the separator. */
function plain(text, separator) {
  const letters = text
    .replace('ß', 'ss')
    .normalize('NFD')
    .replace(/[\u0300-\u036f']/g, '');
  return letters.toLowerCase().replace(/[^a-z0-9]+/g, separator);
}

const ADDRESSES = [
  (first, last) => `${first}.${last}`,
  (first, last) => `${first[0]}.${last}`,
  (first, last) => `${first}-${last}`,
];

function makeCompany() {
  const { industry, minEmployees, maxEmployees, names } = oneOf(INDUSTRIES);
  const isFrench = chance(0.55);
  const culture = isFrench ? FRENCH : ENGLISH;
  const name = oneOf(isFrench ? names.french : names.english).replace('*', oneOf(culture.last));
  // Most companies are small: the square of an evenly distributed number is mostly low.
  const employees = Math.round(minEmployees + (maxEmployees - minEmployees) * random() ** 2);
  return { name, industry, employees, culture, domain: `${plain(name, '-')}.example`, address: oneOf(ADDRESSES) };
}

const companies = [...new Map(Array.from({ length: 420 }, makeCompany).map((each) => [each.domain, each])).values()];
const freelancers = ['example.com', 'example.org', 'example.net'].flatMap((domain) =>
  [FRENCH, ENGLISH].map((culture) => {
    return { name: '', industry: 'Consulting', employees: 1, culture, domain, address: ADDRESSES[0] };
  }),
);

const taken = new Set();

/** Returns a person whose address no earlier person has; the properties are in the order of the columns. */
function makePerson({ bounces = false } = {}) {
  const company = chance(0.04) ? oneOf(freelancers) : oneOf(companies);
  const { culture, name, industry, employees } = company;
  const first = oneOf(culture.first);
  const last = oneOf(culture.last);
  const domain = bounces ? 'bounces.example' : company.domain;
  const email = `${company.address(plain(first, '-'), plain(last, '-'))}@${domain}`;
  if (taken.has(email)) return makePerson({ bounces });
  taken.add(email);
  return {
    email,
    first: chance(0.03) ? '' : first,
    last,
    company: name,
    job: chance(0.05) ? '' : oneOf(culture.jobs),
    phone: chance(0.2) ? '' : culture.phone(digits),
    linkedin: chance(0.35) ? '' : `https://www.linkedin.example/in/${plain(`${first} ${last}`, '-')}-${digits(4)}`,
    industry,
    employees: String(employees),
  };
}

/** Typical errors of real lists, one each. In the last one the quotes around a company with a comma are missing. */
const ERRORS = [
  (person) => ({ ...person, email: person.email.replace('@', '.') }),
  (person) => ({ ...person, email: '' }),
  (person) => ({ ...person, email: person.email.replace('@', `@${'service.'.repeat(32)}`) }),
  (person) => ({ ...person, email: `${person.email}; contact@${person.email.split('@')[1]}` }),
  (person) => ({ ...person, last: filled(280, `${person.last} (ne plus appeler avant midi) `) }),
  (person) => ({ ...person, email: person.email.replace(/[.-]/, ' ') }),
  (person) => ({ ...person, email: person.email.split('@')[0] + '@' }),
  (person) => ({ ...person, email: `@${person.email.split('@')[1]}` }),
  (person) => ({ ...person, employees: 'une vingtaine' }),
  (person) => ({ ...person, linkedin: `https://www.linkedin.example/in/x?trk=${filled(520, 'public_profile-')}` }),
  (person) => ({ ...person, phone: '+44 7700 900123 (mornings), +44 7700 900456 (afternoons, ask for Ruth)' }),
  (person) => ({ ...person, company: ['Lefèvre', ' Noël & Associés'] }),
];

/** Returns the person as another list has it: with another job, and in two of five cases with an upper-case address. */
function duplicateOf(person, index) {
  const isUpperCase = index % 5 < 2;
  return { ...person, email: isUpperCase ? person.email.toUpperCase() : person.email, job: 'Consultant' };
}

function cell(value) {
  return /[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

const isBounce = new Set();
while (isBounce.size < BOUNCES) isBounce.add(between(0, PEOPLE - 1));
const people = Array.from({ length: PEOPLE }, (_, index) => makePerson({ bounces: isBounce.has(index) }));

const repeated = new Set();
while (repeated.size < DUPLICATES) repeated.add(between(0, PEOPLE - 100));
const duplicates = [...repeated].map((original, index) => ({
  position: between(original + 1, PEOPLE - 1) + 0.5,
  person: duplicateOf(people[original], index),
}));
const invalid = ERRORS.map((corrupt) => ({ position: between(20, PEOPLE - 1) + 0.25, person: corrupt(makePerson()) }));

const rows = [...people.map((person, position) => ({ position, person })), ...duplicates, ...invalid]
  .sort((one, other) => one.position - other.position)
  .map(({ person }) => Object.values(person).flat().map(cell).join(','));

writeFileSync(new URL('contacts.csv', import.meta.url), [HEADER.join(','), ...rows, ''].join('\n'));
console.log(
  `${rows.length} rows: ${people.length} people (${isBounce.size} at bounces.example), ` +
    `${duplicates.length} duplicates, ${invalid.length} invalid rows`,
);
