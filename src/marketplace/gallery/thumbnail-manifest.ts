// Written by npm run generate:thumbnails.

/** What the thumbnail of each template was drawn from: the SHA-256 of its body, and of the document that shows it. */
export const THUMBNAIL_SOURCES = {
  'annonce-nouveau-produit': {
    body: '3f0dcc5b7b964167b689cd2c7f0f244258b4b011faf7c4d2ac329568628ea74f',
    document: '3acb1ea29e79ebac10d43d8b66a3214584eb27aa16507276b5928f90b07888e2',
  },
  'appointment-confirmed': {
    body: '9dbe10332eb95450a69e7bbe77a3fdc2f73b5923d84d4b141ebceb3bd21957a5',
    document: 'bac65302c371e74e21faccaad2d9d2b0c4ea15d594d2f679d92fee86685e9ce7',
  },
  'bienvenue-aide-memoire': {
    body: '07d526e792c35500d39515ae9f5b42fec64c3fbb5f05a73abd12e2c581c0915a',
    document: 'a9346e59196c3d5195cf1fd004bad863dec64ac3442f2fe7077a03e03c6e02d5',
  },
  'bienvenue-premiers-pas': {
    body: 'ed92a816edf4e827229ce847da992e183c514d5d7bdcb545ad20d8c67c18ca8f',
    document: 'd0e0917f53fdaa891c778fc4602fab420560b7c201af5acca5314ea7bfb27f89',
  },
  'bienvenue-une-question': {
    body: '2aa7d912cb56b3bfef5ba76aff99406a789448f50bdf5a033f162852867ad437',
    document: '622773aee8edfac48b7d752b89ed96b20b9cb9590ae061439fecb5a205bbfb27',
  },
  'commande-confirmee': {
    body: 'f787a18b456ec6343f405922343a55476c36921f4705967819f0f28edf54847a',
    document: '43ddf395abf7fc02487b445c4f6ac78777c41e2417198fb4a31c78e4effd41ed',
  },
  'facture-echeance': {
    body: 'ed58babc947f2ffca38ab0f3c1f449bc354bbbf533535fb23f74bcfd4ca9f0f4',
    document: '8358796da71c3c4288966d9cd5727bea9eab458c930916502421779c10eaa4b1',
  },
  'invoice-due-reminder': {
    body: '83b0db1328df4c64ed1ad310b4753590f1db4c328fef3046a669d12633bdd75c',
    document: 'cc799b3c3863cd097a00b2a7489e0174347fe37de19431f0464df09cb9a74ee6',
  },
  'lettre-questions-reponses': {
    body: 'd9698f368fed91eb412f8e06b1ee3173f6491f88f081c5e7b645ccd5f49787bf',
    document: '1a19ac80b16b50047be9fd575b069cf60e7d2aa110644819cd81e54cd1dff19d',
  },
  'lettre-trois-sujets': {
    body: '1529109957dcdc7556259b0b133497b2f406be79fee23a573e1068cb6cf0efbf',
    document: 'cd74e3614bcc6e870c10c6a3d458e5864bbffcb3e751b6cc2631a267d39e94fe',
  },
  'lettre-une-idee': {
    body: '48937e0e76a9afb7ee6787cdabcd41713c5ff039ec1c82787a22304317223b38',
    document: '64292393463f5e87af13db853307a2c7f873feaa5b77a1c5344b950c78059f6e',
  },
  'new-sign-in-notice': {
    body: '21c9ea66fd82a8037310d50e89738d8d5b3b35d90d32d1a7ab0d53a4fef067b7',
    document: '537f6914474c60591576278d45fa974527dd983e27da67456112cca4737ed35d',
  },
  'newsletter-monthly-digest': {
    body: '85bde95364a8b0b309ab9569773469e3eae425066e65e9557495f6e629de5c2b',
    document: 'a60e45fbffa7f20331871cf5c352d343bbf702f7527706544a7e69f6e757cb27',
  },
  'newsletter-one-idea': {
    body: '686d012d91d713346f8925f55b36aa87fa78d3900da0710d2b2bf6aa9244ef92',
    document: '993a4decc8d47dec9275c0e65106c8085b0aa9e0d62f1d74cc3841d7138501fc',
  },
  'newsletter-product-update': {
    body: '92a2b04270cc18ce1909af58e5ad1ebad0f02bd2ffb1c3a57566faad376d52f6',
    document: 'da7e45cf3d8150f722003789af01d8f2875f8691a1fd0913633ca6a883a6e47f',
  },
  'nouvelle-connexion': {
    body: '7ec6dc3690aa194f28e55128707d45aed1076fba91430fdb81a2d9b54b33751f',
    document: '3d2984d4aae06cee8f74d3d16424518a5fd5cca884f25271b8468f25072f1718',
  },
  'offre-clients-fideles': {
    body: '37297aec9b74f24ad14cf113a099fb63ab0cf4185d8caa11bddca09a40100ce7',
    document: '81cd11891679e7d450d62fed25393c3a1d441bb1865304297d9fb0e65dc1d576',
  },
  'offre-de-saison': {
    body: 'b5ef24b06d11472e4461c61bc112e6d61fbe95dcbe8ffd552127ef6854eafd3d',
    document: '99ef2b377c5c64efc1babb961d5df11b8bb3764451c4e5a118dd3bcbdc6fe6f7',
  },
  'onboarding-one-week-in': {
    body: 'f70b00e3e803d92a7155b0e207f54d33ca13d8495b7a3ae97a0515f8e3383aab',
    document: '0250f8c1c1cd3c6aaa2dec6af6b1edb383e004921e5e06984eeba2c18cd60204',
  },
  'order-confirmation': {
    body: '1e4fb294fef8c2d12475a9f361b37a5f8debc60230595c5a2b1e2371c781b04b',
    document: '2318bd6973ff22c5d741fb423b974f24af61ae26b72b142d9360be927f9cc35e',
  },
  'promo-loyal-customer': {
    body: 'db94822a0385e52f50086bfdb62e8730b5cb27615dfffaf838342f9eeaba7ec2',
    document: '76bb9e45cc59ff0f233f7a8e866796c61d838f23d4e863f5fd3ec9ebe5981b0c',
  },
  'promo-product-announcement': {
    body: 'bd1aab7c02dd0609a3bab3c8771548c4399b6b398f928b530d072648024ee079',
    document: 'e084c424d80ce35f70958b5d322d653ed92ffec5401029775c5e8b374f16fd39',
  },
  'promo-seasonal-offer': {
    body: 'f4c02c99b120955cf09a77187dd9c1aa165e868122f67f2525ebe45834218212',
    document: 'aeae33f7dc3771d3f227a87ab38f758e939749f51a1a07033e457aa8b0ed7438',
  },
  'promo-webinar-invitation': {
    body: 'dff5c14e73ee7ef72fd973726712d5114f1f77fb922ae80511d6ce2a7294b714',
    document: 'd1dfa93c62d111a3ef3fb33f7f060fd18491f491b931ab31f4543c7386bb6627',
  },
  'rendez-vous-confirme': {
    body: '1c7df055178b8f8f7226f1131b4a113838fae0bbf7f00996b45eb7c1cafed6ab',
    document: '34d31e9d1fc813fd2432bc2c1eae54f8f02a867d8c198eb73cfa1a9517fbbfa0',
  },
  'webinaire-enregistrement': {
    body: '8f8ea07ec7a9b68216e3640c6fa42b8d1db98e4feae7b76fc07b3e32a22ffc6d',
    document: 'bf64deef519aaf3cfa71fbc7664d0c248ae091f2f0f1fe22116c5e9200c92f49',
  },
  'webinaire-invitation': {
    body: '9da753c5385c59c5cdecdf3b7289cea9b4552576005b2c494a68fb077faa7085',
    document: '6dfed9570ed821868faa3796cd0696d0097e76504cbe19331e70f2eeb2999f8b',
  },
  'webinaire-rappel-veille': {
    body: 'e9d16eede2a662d223fce17a56f2cd9b3ac24c41f9f8d69c183632c07d272b26',
    document: '22e3bfd4e87c9f4d250d269cb539a3364c09236e956537130c5e123be8f33625',
  },
  'webinar-tomorrow-reminder': {
    body: '1d8b2abc858671fe94f9999d229e516eb3c0fafa2d6eec696ee67bd0df4c4b7e',
    document: '1563d00305e6cd8df3779ff544e7164186a509060ce4cdaeaaee50a753cc4836',
  },
  'welcome-first-steps': {
    body: '34cf278f6c921effff03006fb265d2cc556cb9d88b5b8e96d6796d1bde0badc7',
    document: '1237ff57257ed57377e3bd92da368d6adf7e65acaa86008762248942d08d838b',
  },
  'welcome-new-subscriber': {
    body: '4741f232903e19d91697c3a0d9a65d109ea8d78e63c12c6bbbbf5a92b0db5bcf',
    document: '00744c2b1cd79b6ec90bad9d727ffeeefbdd8ea54510b4978c9839c2ceadf535',
  },
  'welcome-personal-letter': {
    body: '555dfdc25c5752ca34ce9f07d2f8c8cc2fcb0f219535deab33061ff8aa216124',
    document: '78e239eff7197f65a631d9cf99066d88ef53f94c8ca64afc4eb5bb86db6fa4ea',
  },
};
