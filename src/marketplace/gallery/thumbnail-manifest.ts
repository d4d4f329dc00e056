// Written by npm run generate:thumbnails.

/** What the thumbnail of each template was drawn from: the SHA-256 of its body, and of the document that shows it. */
export const THUMBNAIL_SOURCES = {
  'annonce-nouveau-produit': {
    body: '2cc2c1ef5294c5a9171a09a68143ab0f853c984867e77343dc52f1c8d5e3c054',
    document: '6454311d4b9952d75f3e389e943e5d2f7a46ba97fcae3759efec8f2d2f93d5fa',
  },
  'appointment-confirmed': {
    body: '9757a56c9ebbe4b205b6d3ea310d6039de60be1f64f530f555080684edadf853',
    document: '098a5d409ccfa22a28d89dc7699c62b1f4ec631ec6395878ec6971483880f8af',
  },
  'bienvenue-aide-memoire': {
    body: 'cec27f419df9d1d4bfcfafbc4c1bb4d29aa8a256ff7723d44e26f12ef205c469',
    document: '8a7af8b524434add5fe5424f13e71cc11bc4cdf9e556b51b6e27e91c312814c3',
  },
  'bienvenue-premiers-pas': {
    body: '8699d95deeb6d61a173ad20f606c87568cd558286e5194222bee0bc63717944a',
    document: 'c419fc3f2bc89168b445381865aeb9737af8d21b57082b024c5c2a6de2ee6f1a',
  },
  'bienvenue-une-question': {
    body: '060c4a396d2c2e5c2994cb9bbc7bcc44c07be91d47e02ecd1c69d40c7060cf06',
    document: '0966aa66dc2592b888ab12c52941f2dc62338ce974e69b904b414930507207f3',
  },
  'commande-confirmee': {
    body: '10dde0ccc34e6a466f3949ef01b554a97f0105142467fbc632ba8d3bf9e7144a',
    document: '006823162ee65778c3e00de32baf69f212ee95042435210db659fd302eac8bac',
  },
  'facture-echeance': {
    body: 'e3ab60f0070ed96f013b8b6a8028cc0cb37e7110487b0de06e48500f8c21848c',
    document: '00df426ae26f44eee3d0f720873d61e4791e94315601517dc1128efd4d4b4613',
  },
  'invoice-due-reminder': {
    body: 'bf0e4464193d61f5e5657026a70dc7a8f525ee8c78dd06a03b0211d74117f659',
    document: 'cd5de01647299747c26be3487ea4b727c38661e00550a595d9fb539097eb36d3',
  },
  'lettre-questions-reponses': {
    body: '2593337c512ff56ffbc9280c6ac6e06808909eff605578cbc12b5a3111c25953',
    document: 'afe4208bb025134147e2e2ad67d6c7a8e253db7fbba37194077d88d65a1660ae',
  },
  'lettre-trois-sujets': {
    body: '5042e8aec7d6f261957b3701d49c44363b4fd2927940f40712114ba782d24977',
    document: 'aefb0a8378df8d724a2659e47bedd15923e8079077662abb3290995e70e62242',
  },
  'lettre-une-idee': {
    body: 'b676f3e9cdb66e60eac8af85fef6efa00472f1fd6bcf45ab096f1674bc98fec6',
    document: 'd6899e844e026063a3b4b475416fa913b02e08cc359f0869a3fe1b8a1205bdaa',
  },
  'new-sign-in-notice': {
    body: 'e2956c36b93b938d687ad7c641b2485b52a54da8604545ff8e9b23a02b001570',
    document: '7da3c71cfac69379dfc8ad06caf7a050676cb82ef1f2d983912d8c7dc1c7bb84',
  },
  'newsletter-monthly-digest': {
    body: '1e8b0fdd657413ad30732792417d24b8aec37aae4ba1dcda668fb99a5679fe03',
    document: '8cd66f66c895aa40801dbeea2e0cc7a727406a7b5d87ffa9424f23800211b419',
  },
  'newsletter-one-idea': {
    body: '73ec238b0ee7e54cb8a197985eb735786ca044b333e02abda557c0e77c992781',
    document: 'c7b6795623fa10db4c8eadcb0dcc5e4a5df7df329015e6bd8e06cb4b7a6b856d',
  },
  'newsletter-product-update': {
    body: 'be84ab978200bf7d2cf5f19287707b9711d271d656355072cd30d305329be649',
    document: '2f6242986210a7d156c8aaa3bf316164bb2278f32e74e00bb12aa1a62817c402',
  },
  'nouvelle-connexion': {
    body: '856cc2e1b96120c895de5b112faf707268199b0852bd0d1a4714ad154f04b26d',
    document: 'd9e5a4c84fabd65dd25a7d30fc7cf051860a36b1462db240756063c59b5ae0b3',
  },
  'offre-clients-fideles': {
    body: 'c280bd299b8a7d0671efa6e70d511a0106229e3a80cabf220af42a0166d885f1',
    document: 'd047abd7f80543707048a8465197aa757f186bda3f1d9d19eefddc9feb2321ea',
  },
  'offre-de-saison': {
    body: '796a32800201c5cb4a28a0a35ba2c2c2cfbe886790398934894ab2b6f3a530dd',
    document: '6845681e8cd895334589d7dda8497907d9b35c73430a84a11f881c7f594a8706',
  },
  'onboarding-one-week-in': {
    body: '16a6d5ec665e18d6d794d99082e024f1a70b3da7e063dd61dced065b0f30fa45',
    document: '3bc962374178274bb487e47656f87623178893d12d1858a1d88a3607feb3244f',
  },
  'order-confirmation': {
    body: '74509603615f01a14812e093e04bd49f14fd104c4944bf2976b0ef788fac77db',
    document: '2bce495b09387a3548a6dc779610f594d344090f2045e32f23ebb9eedd3a587c',
  },
  'promo-loyal-customer': {
    body: 'fb5a15b8a2c0215d295d96eb7653ced287ff4b1b3307ff35d879543c604e0dd9',
    document: 'faebc40e61ad47b6b943fb1f06533d0bee3b4f70958d62a505c35bacf865f096',
  },
  'promo-product-announcement': {
    body: 'c2781bea4cb19dcd2023e829bf4630f6da0906d3360b31f50dd3aa5b69de244b',
    document: '57a9ff5b1ecaa53bccbc4a68315ee59f7b4a4a8fe630e5dc8dd7fb82a1b369b3',
  },
  'promo-seasonal-offer': {
    body: '0b8c612040efe571556baf3968acac1ea21e1e9ba85cdab4d6096959f322b9a3',
    document: '20e84015a7641c1931d33009e3daee2d1ee1ccd2e5264a35116463f81e1e7355',
  },
  'promo-webinar-invitation': {
    body: 'f7bde2d7d148110adcf39c7a0ad0448609d943a52c70cf3e98cf351f66a8f837',
    document: 'a4bdb1a9ba7dd1a5ecf5c099b14ce5fff099242d695670b26bdc6dd5a6b1eab3',
  },
  'rendez-vous-confirme': {
    body: '7af0f0739143b1ae0548b5ab005944f4ae098ac14d611776f7b43d21c637811a',
    document: '9476110473f7b299db94b05a1d592f749e5ef12b26ead6b9ee8a532d01398db7',
  },
  'webinaire-enregistrement': {
    body: 'aa5ef299ca95005c12d7b5d9ee51d5095679afcbb3edc4e389b66df533fadf60',
    document: '4f022139ca0f12c3ee235eb502304320643c666b1621e274a51a5e176e8b84d1',
  },
  'webinaire-invitation': {
    body: '21ca4dc1ce5cd7ec35ccc9375f624c8c86483209cd384cfb614f98cefc12c2e4',
    document: '60fd3e4f8af37ff24514d98ce8a660247eefd81171f1ef38fd433acfbb76caa6',
  },
  'webinaire-rappel-veille': {
    body: 'd66c7f8c7e0c25e2e820cb4c7a8cf219fc918b134a9db095e052456c766421c2',
    document: 'a44b0dcec432117ab34b8a1b3527e993b0b1085785a7492d25cb3a772f4aed4f',
  },
  'webinar-tomorrow-reminder': {
    body: '9c0be7c53478dd79f03b9c2db4d1790ed3c1e84953589a1d33f3b8694353b339',
    document: '7bcae835b051629e5b99fa76b271ec4030bdc45a68ee01863080afe46053c946',
  },
  'welcome-first-steps': {
    body: '345f4644afd0e37dfeb7c818d2026cec71f4b73b224aeef7408de91fe17e7a34',
    document: 'fd923b1103ab1fb65e50eb7a2c9ed552285a408eaedf26022306d3dac46a778f',
  },
  'welcome-new-subscriber': {
    body: 'd4b6218ead716d692c3a746ba015939b8cc7d825565121d5dfe4705a4bb9b5e1',
    document: '15887fefd280f996b19e919cfced16d114ba670cc40f14e9a32a0daae8e538bf',
  },
  'welcome-personal-letter': {
    body: 'cab85af920a85cba00bf8cd650e2fbdc9cf91dfd209c66cb6d548f3276afadb1',
    document: 'c461367b2f8c9a43857401fad5d465189e98d6a67fe9d1b11a8332c0c6387774',
  },
};
