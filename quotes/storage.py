"""Where uploads and documents lie: a folder that no web server reaches."""

from django.core.files.storage import Storage, storages


def private_storage() -> Storage:
    """Give the storage of uploads and documents; views hand its files out after asking who may see them."""
    return storages["default"]
