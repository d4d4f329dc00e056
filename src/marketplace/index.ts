export { CatalogueBroken } from './publishing/catalogue-broken.js';
export { type ImportedCatalogue, importCatalogue } from './publishing/import-catalogue.crossing.js';
export { publishShippedCatalogue } from './publishing/shipped-catalogue.crossing.js';
export { MarketplaceModule } from './marketplace.module.js';
export { MarketplacePack, MarketplacePackTemplate } from './marketplace-pack.entity.js';
export { MarketplaceTemplate } from './marketplace-template.entity.js';
