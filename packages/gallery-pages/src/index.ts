export { errorPage } from './error-page.js';
export { ERROR_HEADERS, GALLERY_HEADERS, type PageContext, pageContext } from './gallery-page.js';
export { type GalleryFilter, type GalleryParams, galleryParams } from './gallery-params.js';
export { GALLERY_PATH } from './gallery-urls.js';
export { indexPage } from './index-page.js';
export { countResults, listPage, PAGE_SIZE } from './list-page.js';
export { packPage } from './pack-page.js';
export { isDocument, PREVIEW_HEADERS, previewPage } from './preview-page.js';
export {
  type GalleryCounts,
  type ListedPack,
  type ListedTemplate,
  type ShownTemplate,
  THUMBNAIL_SCHEMES,
  THUMBNAIL_SIZE,
  type ThumbnailScheme,
} from './records.js';
export { templatePage } from './template-page.js';
