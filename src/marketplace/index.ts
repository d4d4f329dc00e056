export { InvalidCatalogue } from './publishing/invalid-catalogue.js';
export { type ImportedCatalogue, importCatalogue } from './publishing/import-catalogue.cross-tenant.js';
export { publishShippedCatalogue } from './publishing/shipped-catalogue.cross-tenant.js';
export { MarketplaceModule } from './marketplace.module.js';
export { MarketplacePack, MarketplacePackTemplate } from './marketplace-pack.entity.js';
export { MarketplaceTemplate } from './marketplace-template.entity.js';
